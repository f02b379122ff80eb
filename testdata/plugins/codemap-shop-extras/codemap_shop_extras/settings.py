"""Keys of appsettings.json and its variants, as the configuration knows them: ``Logging:LogLevel:Default``."""

import json

from codemap_core.hooks.interests import Interests
from codemap_core.model import FactRow


class SettingsKeys:
    name = "settings_keys"
    language = ""
    interests = Interests(files=("appsettings*.json",))
    kinds = ("config",)

    def extract(self, seen):
        lines = seen.text.lstrip("\ufeff").splitlines()
        try:
            settings = json.loads("\n".join("" if line.lstrip().startswith("//") else line for line in lines))
        except json.JSONDecodeError:
            return
        at = 0
        for path in leaves(settings):
            at = next((n for n in range(at, len(lines)) if f'"{path[-1]}"' in lines[n]), at)
            yield FactRow(
                kind="config",
                value=f"{':'.join(path)}|settings file",
                detail={"at": at + 1, "key": ":".join(path), "source": "file"},
                file_path=seen.file_path,
                line_start=at + 1,
                line_end=at + 1,
            )


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif path:
        yield path
