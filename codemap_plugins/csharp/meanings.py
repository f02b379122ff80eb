"""What C# and its base library use without anyone naming it, and what catches every exception."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_ids
from codemap_core.model.meanings import ImpliedUses, Meanings, UnnamedUses, WholeUse
from codemap_plugins.csharp.unity_messages import UNITY_MESSAGES

_INERT: Final = (
    "System.ObsoleteAttribute",
    "System.CLSCompliantAttribute",
    "System.FlagsAttribute",
    "System.ThreadStaticAttribute",
    "System.AttributeUsageAttribute",
    "System.ParamArrayAttribute",
    "System.ComponentModel.EditorBrowsableAttribute",
    "System.ComponentModel.DescriptionAttribute",
    "System.CodeDom.Compiler.GeneratedCodeAttribute",
    "System.Diagnostics.ConditionalAttribute",
    "System.Diagnostics.DebuggerDisplayAttribute",
    "System.Diagnostics.DebuggerHiddenAttribute",
    "System.Diagnostics.DebuggerNonUserCodeAttribute",
    "System.Diagnostics.DebuggerStepThroughAttribute",
    "System.Diagnostics.DebuggerBrowsableAttribute",
    "System.Diagnostics.StackTraceHiddenAttribute",
    "System.Diagnostics.CodeAnalysis.DoesNotReturnAttribute",
    "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute",
    "System.Diagnostics.CodeAnalysis.ExperimentalAttribute",
    "System.Diagnostics.CodeAnalysis.MaybeNullAttribute",
    "System.Diagnostics.CodeAnalysis.MemberNotNullAttribute",
    "System.Diagnostics.CodeAnalysis.NotNullAttribute",
    "System.Diagnostics.CodeAnalysis.RequiresDynamicCodeAttribute",
    "System.Diagnostics.CodeAnalysis.RequiresUnreferencedCodeAttribute",
    "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute",
    "System.Diagnostics.CodeAnalysis.SuppressMessageAttribute",
    "System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessageAttribute",
    "System.Diagnostics.Contracts.PureAttribute",
    "System.Runtime.CompilerServices.CompilerGeneratedAttribute",
    "System.Runtime.CompilerServices.MethodImplAttribute",
    "System.Runtime.CompilerServices.OverloadResolutionPriorityAttribute",
    "System.Runtime.CompilerServices.SkipLocalsInitAttribute",
    "System.Runtime.Versioning.SupportedOSPlatformAttribute",
    "System.Runtime.Versioning.UnsupportedOSPlatformAttribute",
)
_CALLED_MEMBERS: Final = (
    "GetEnumerator",
    "GetAsyncEnumerator",
    "MoveNext",
    "MoveNextAsync",
    "Current",
    "Dispose",
    "DisposeAsync",
    "Deconstruct",
    "Add",
    "GetAwaiter",
    "IsCompleted",
    "OnCompleted",
    "UnsafeOnCompleted",
    "GetResult",
    "GetPinnableReference",
    "Slice",
    "Count",
    "Length",
    "Select",
    "SelectMany",
    "Where",
    "Join",
    "GroupJoin",
    "GroupBy",
    "OrderBy",
    "OrderByDescending",
    "ThenBy",
    "ThenByDescending",
    "Cast",
    "AppendLiteral",
    "AppendFormatted",
    "PrintMembers",
    "Finalize",
)
"""Names that C# calls without anyone writing them (ECMA-334 §13.9.5, §12.9.8, §13.14, §12.7, §12.20.3, §12.8.3)."""

_UNNAMED_USES: Final = (
    UnnamedUses(by="conversions", names=("op_Implicit", "op_Explicit"), with_parameters=True),
    UnnamedUses(by="using statements", names=("Dispose", "DisposeAsync")),
    UnnamedUses(by="foreach statements", names=("GetEnumerator", "GetAsyncEnumerator", "MoveNext", "MoveNextAsync")),
    UnnamedUses(by="foreach statements", names=("Current",), beside=("MoveNext", "MoveNextAsync")),
    UnnamedUses(by="deconstructions", names=("Deconstruct",), with_parameters=True),
    UnnamedUses(by="await expressions", names=("GetAwaiter",)),
    UnnamedUses(by="collection initializers", names=("Add",), with_parameters=True, beside=("GetEnumerator",)),
)
"""Conversions (ECMA-334 §10.5), and those of ``_CALLED_MEMBERS`` whose names are hardly ever given to anything else."""

_FRAMEWORK_MEMBERS: Final = (
    *("Configure", "ConfigureServices", "ConfigureContainer"),  # of a start-up class
    *("Invoke", "InvokeAsync"),  # of middleware and view components
    *("TryParse", "BindAsync"),  # of the type of an endpoint's parameter
    *("CreateHostBuilder", "CreateWebHostBuilder", "BuildWebHost"),  # of the program, by tools and tests
)
"""Names by which ASP.NET Core and its tools find methods."""
_FRAMEWORK_PREFIXES: Final = ("ShouldSerialize",)
"""``ShouldSerializeTitle``, which XmlSerializer, Json.NET and designers call to ask whether ``Title`` is written."""

_LOOKED_UP: Final = (
    *("GetConstructor", "GetConstructors", "GetEvent", "GetEvents", "GetField", "GetFields", "GetMember", "GetMembers"),
    *("GetMethod", "GetMethods", "GetProperties", "GetProperty", "InvokeMember"),
    *("GetRuntimeEvent", "GetRuntimeEvents", "GetRuntimeField", "GetRuntimeFields", "GetRuntimeMethod"),
    *("GetRuntimeMethods", "GetRuntimeProperties", "GetRuntimeProperty"),
    *("DeclaredConstructors", "DeclaredEvents", "DeclaredFields", "DeclaredMembers", "DeclaredMethods"),
    *("DeclaredProperties", "GetDeclaredEvent", "GetDeclaredField", "GetDeclaredMethod", "GetDeclaredMethods"),
    "GetDeclaredProperty",
)
"""Members of ``System.Type``, ``TypeInfo`` and ``RuntimeReflectionExtensions`` that give members of a type."""
_REFLECTION: Final = WholeUse(
    pattern=(
        r"\btypeof\s*\(\s*(?:\w+\s*(?:<[^()]*>\s*)?(?:\.|::)\s*)*(\w+)\s*(?:<[^()]*>\s*)?\)"
        r"\s*(?:\.\s*GetTypeInfo\s*\(\s*\)\s*)?\.\s*"
        rf"(?:{'|'.join(_LOOKED_UP)})\b"
        r'(?!\s*\(\s*nameof\b)(?:\s*\(\s*"(\w+)"\s*[,)])?'
    ),
    words=_LOOKED_UP,
)
"""``typeof(Order).GetMethods()``; of ``typeof(Order).GetMethod("Pay")`` that method alone. What stands in ``nameof`` is referred to."""

CSHARP_MEANINGS: Final = Meanings(
    name="csharp",
    universal_types=type_ids("System.Object"),
    common_bases=type_ids("System.Object", "System.ValueType", "System.Enum"),
    root_exceptions=("System.Exception",),
    implied=ImpliedUses(
        inert_attributes=type_ids(*_INERT),
        layout_attributes=type_ids(
            "System.Runtime.CompilerServices.InlineArrayAttribute",
            "System.Runtime.InteropServices.StructLayoutAttribute",
        ),
        created_by_name=("System",),
        created_by_name_below=("System.Collections", "System.IO", "System.Threading"),
        called_members=_CALLED_MEMBERS,
        called_operators=("op_Implicit", "op_Explicit", "op_True", "op_False"),
        unnamed_uses=_UNNAMED_USES,
        finalizers=("Finalize",),
        entry_points=("Main", "<Main>$"),  # ECMA-334 §7.1, and top-level statements
        framework_members=_FRAMEWORK_MEMBERS,
        framework_prefixes=_FRAMEWORK_PREFIXES,
        engine_members=UNITY_MESSAGES,
        contract_suffixes=(".proto",),
        compiler_namespaces=("System",),
        reflections=(_REFLECTION,),
        friend_attributes=type_ids("System.Runtime.CompilerServices.InternalsVisibleToAttribute"),
        friend_patterns=(r'InternalsVisibleTo(?:Attribute)?\s*\(\s*"([^",]+)',),
    ),
)
