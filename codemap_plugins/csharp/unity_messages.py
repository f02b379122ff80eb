"""The methods that the Unity engine and its editor call by their names, of scripts, editor windows and importers of assets."""

from __future__ import annotations

from typing import Final

_CONTACTS: Final = tuple(
    f"On{what}{when}{dimension}"
    for what in ("Collision", "Trigger")
    for when in ("Enter", "Stay", "Exit")
    for dimension in ("", "2D")
)
UNITY_MESSAGES: Final = (
    *("Awake", "Start", "Update", "FixedUpdate", "LateUpdate", "Reset"),
    *("OnEnable", "OnDisable", "OnDestroy", "OnValidate", "OnGUI"),
    *("OnApplicationFocus", "OnApplicationPause", "OnApplicationQuit"),
    *_CONTACTS,
    *("OnControllerColliderHit", "OnJointBreak", "OnJointBreak2D"),
    *("OnMouseDown", "OnMouseDrag", "OnMouseEnter", "OnMouseExit", "OnMouseOver", "OnMouseUp", "OnMouseUpAsButton"),
    *("OnBecameVisible", "OnBecameInvisible", "OnWillRenderObject", "OnRenderObject", "OnRenderImage"),
    *("OnPreCull", "OnPreRender", "OnPostRender", "OnDrawGizmos", "OnDrawGizmosSelected"),
    *("OnAnimatorIK", "OnAnimatorMove", "OnAudioFilterRead"),
    *("OnParticleCollision", "OnParticleTrigger", "OnParticleSystemStopped", "OnParticleUpdateJobScheduled"),
    *("OnTransformChildrenChanged", "OnTransformParentChanged"),
    *("CreateGUI", "OnFocus", "OnLostFocus", "OnInspectorUpdate", "OnSelectionChange", "OnSceneGUI", "ShowButton"),
    *("OnHierarchyChange", "OnProjectChange", "OnWizardCreate", "OnWizardUpdate", "OnWizardOtherButton"),
    *("OnPreprocessAsset", "OnPreprocessModel", "OnPreprocessTexture", "OnPreprocessAudio", "OnPostprocessAllAssets"),
    *("OnPostprocessModel", "OnPostprocessTexture", "OnPostprocessAudio", "OnPostprocessPrefab"),
    *("OnWillCreateAsset", "OnWillSaveAssets", "OnWillMoveAsset", "OnWillDeleteAsset"),
)
