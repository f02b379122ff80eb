"""Projects of the Unity engine: assembly definitions and the assemblies that the engine makes of all other scripts."""
