"""A registration refers to what it registers: ``services.AddScoped<IClock, UtcClock>()`` to ``UtcClock``."""

from codemap_core.hooks.interests import Interests
from codemap_core.model import ReferenceRow, RefKind, ResolutionState


class Registrations:
    name = "registrations"
    language = "csharp"
    interests = Interests(invocations=("AddScoped", "AddSingleton", "AddTransient"))
    roles = ("registers",)

    def extract(self, seen):
        for event in seen.events.values():
            if len(event.type_arguments) == 2 and event.type_arguments[1].id:
                implementation = event.type_arguments[1]
                yield ReferenceRow(
                    kind=RefKind.LINK,
                    role="registers",
                    from_symbol=event.enclosing,
                    to_symbol=implementation.id,
                    to_name=implementation.name,
                    file_path=seen.file_path,
                    line=event.line,
                    line_end=event.line,
                    column=event.column,
                    resolution_state=ResolutionState.RESOLVED,
                )
