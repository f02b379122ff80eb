"""What this plug-in provides: hook implementations and nothing else."""

from codemap_core.hooks import hookimpl


@hookimpl
def codemap_register_languages(registry):
    from codemap_shop_extras.proto import ProtoFrontEnd

    registry.add(ProtoFrontEnd())


@hookimpl
def codemap_register_project_loaders(registry):
    from codemap_shop_extras.modules import BufModules

    registry.add(BufModules())


@hookimpl
def codemap_register_symbol_extractors(registry):
    from codemap_shop_extras.tables import SqlTables

    registry.add(SqlTables())


@hookimpl
def codemap_register_reference_extractors(registry):
    from codemap_shop_extras.registrations import Registrations

    registry.add(Registrations())


@hookimpl
def codemap_register_fact_extractors(registry):
    from codemap_shop_extras.endpoints import Endpoints
    from codemap_shop_extras.settings import SettingsKeys

    registry.add(Endpoints())
    registry.add(SettingsKeys())


@hookimpl
def codemap_register_fact_kinds(registry):
    from codemap_shop_extras.endpoints import ENDPOINT

    registry.add(ENDPOINT)


@hookimpl
def codemap_register_meanings(registry):
    from codemap_shop_extras.bus import SHOP_BUS

    registry.add(SHOP_BUS)


@hookimpl
def codemap_register_tool_families(registry):
    from codemap_shop_extras.tools import ENDPOINTS

    registry.add(ENDPOINTS)
