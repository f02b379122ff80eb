"""Routes of ASP.NET with the templates that requests match, links to what answers, and the views that are shown: facts of the kinds
``route`` and ``view``, links of the roles ``routes_to``, ``requests`` and ``renders``.

    plugin             the hooks
    extractor          what is asked for, and who reads which part
    route_rows         what every route is made of
    templates          how templates are combined
    attributes         what attributes say of routes
    controllers        controllers and actions of a document
    actions            their routes, over all documents
    classic            controllers of ASP.NET MVC 5 and Web API 2
    endpoints          endpoints that calls map
    conventions        what is said of them afterwards
    own_conventions    what methods of the repository's own say of them
    marks              how that is written
    general_demands    what one statement demands of many routes
    mapped_types       what the attributes of hubs and services demand
    libraries          endpoints of libraries
    fast_endpoints     those of FastEndpoints
    fast_guards        who may call them
    fast_prefixes      what an application puts before their routes
    service_contracts  operations of WCF
    web_forms          pages of Web Forms
    pages              routes of pages and components
    address_texts      addresses that code puts together
    addresses          texts that name actions, pages and routes
    tag_helpers        those in markup
    named_routes       routes that have a name
    destinations       what these texts mean
    route_tree         routes that match a path
    component_paths    addresses of components
    requests           requests over HTTP that code makes
    declared_requests  those that interfaces declare
    script_requests    those of TypeScript
    written_addresses  addresses that are written out
    answers            what answers all these
    sight              which projects see which
    showing            what shows views
    view_files         where views are looked for
    views              which are found
    folders            what the place of a view says
    markup             the text of a view
    meanings           calls of libraries by which requests come in and go out
"""
