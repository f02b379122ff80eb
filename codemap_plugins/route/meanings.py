"""How requests come in through pages, and by which calls of libraries they go out."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_ids
from codemap_core.model.meanings import Does, LibraryCalls, Meanings, PageHandlers

HTTP: Final = Meanings(
    name="http",
    calls=(
        LibraryCalls(
            does=Does.CALLS_OUT,
            types=type_ids(
                "System.Net.Http.HttpClient",
                "System.Net.Http.HttpMessageInvoker",
                "System.Net.Http.Json.HttpClientJsonExtensions",
                "RestSharp.IRestClient",
                "RestSharp.RestClient",
                "RestSharp.RestClientExtensions",
            ),
            names=("Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "Send", "Execute", "Download"),
        ),
    ),
    pages=(
        # Razor Pages call On, the verb, the name of the handler if it has one, and Async or not.
        PageHandlers(method=r"On(Get|Post|Put|Delete|Patch|Head|Options)(?:[A-Z_]\w*)?", code_behind=".cs"),
    ),
)
