"""Which templates a route means, and which of several."""

from __future__ import annotations

import pytest

from codemap_core.model.route_templates import conventional_path, parse_route, rank

FITS = """
GET /orders                     | GET /orders
get /Orders/                    | GET /orders
/orders                         | POST /orders
https://shop.example/orders?a=1 | GET /orders
POST orders                     | POST /orders
/                               | GET /
/orders/5                       | GET /orders/{id:int}
/orders/5                       | GET /orders/{id}
/orders/{id}                    | GET /orders/{orderId:int}
GET /orders                     | ANY /orders
/orders                         | GET /orders/{page?}
/orders                         | GET /orders/{page=1}
/files/a/b.txt                  | GET /files/{*path}
/files                          | GET /files/{**path}
/img/logo.png                   | GET /img/{name}.{extension}
/v1-beta/x                      | GET /v{version}/x
/orders/a%20b                   | GET /orders/{name}
/codes/123                      | GET /codes/{code:regex(^\\d{{3}}$)}
/codes/a-b                      | GET /codes/{code:regex(^(?<part>[[a-z]]-)+$)}
/a/2c8f0b52-6c1b-4c4e-9d0a-0c8f3f0e7a11 | GET /a/{id:guid}
/a/2c8f0b526c1b4c4e9d0a0c8f3f0e7a11     | GET /a/{id:guid}
/a/-5                           | GET /a/{n:int}
/a/3000000000                   | GET /a/{n:long}
/a/1,000.5                      | GET /a/{n:decimal}
/a/1e3                          | GET /a/{n:double}
/a/TRUE                         | GET /a/{x:bool}
/a/2026-11-23                   | GET /a/{day:datetime}
/a/abc                          | GET /a/{x:minlength(3):alpha}
/a/abc                          | GET /a/{x:length(2,4)}
/a/5                            | GET /a/{n:range(1,9)}
/a/logo.png                     | GET /a/{x:file}
/a/logo                         | GET /a/{x:nonfile}
/a/anything                     | GET /a/{x:oursOnly}
/{controller=Home}/{action=Index} | ANY /{controller=Home}/{action=Index}
"""
DOES_NOT_FIT = """
POST /orders                    | GET /orders
/orders/x                       | GET /orders/{id:int}
/orders                         | GET /orders/{id}
/orders/5/lines                 | GET /orders/{id}
/order                          | GET /orders
/a/5                            | GET /a/{id:guid}
/a/2c8f0b52-6c1b-4c4e-9d0a      | GET /a/{id:guid}
/a/5x                           | GET /a/{n:int}
/a/3000000000                   | GET /a/{n:int}
/a/9223372036854775808          | GET /a/{n:long}
/a/1.5.2                        | GET /a/{n:decimal}
/a/x                            | GET /a/{n:double}
/a/yes                          | GET /a/{x:bool}
/a/today                        | GET /a/{day:datetime}
/a/a1                           | GET /a/{x:alpha}
/a/ab                           | GET /a/{x:minlength(3)}
/a/abcd                         | GET /a/{x:maxlength(3)}
/a/abc                          | GET /a/{x:length(2)}
/a/0                            | GET /a/{n:min(1)}
/a/10                           | GET /a/{n:max(9)}
/a/10                           | GET /a/{n:range(1,9)}
/a/x                            | GET /a/{n:range(1,9)}
/a/logo                         | GET /a/{x:file}
/a/logo.png                     | GET /a/{x:nonfile}
/codes/12a                      | GET /codes/{code:regex(^\\d{{3}}$)}
/codes/1234                     | GET /codes/{code:regex(^\\d{{3}}$)}
/Home/Index                     | ANY /{controller=Home}/{action=Index}/{id?}
"""
CONVENTIONS = """
/             | ANY /{controller=Home}/{action=Index}/{id?}       |                              | /Home/Index
/Order        | ANY /{controller=Home}/{action=Index}/{id?}       |                              | /Order/Index
/Order/Show/5 | ANY /{controller=Home}/{action=Index}/{id?}       |                              | /Order/Show
/Shop/Order   | ANY /{area:exists}/{controller}/{action=Index}    |                              | /Shop/Order/Index
/a/b/c/d      | ANY /{controller=Home}/{action=Index}/{id?}       |                              |
/Order        | GET /{name}                                       |                              |
/blog/first   | ANY /blog/{*article}                              | controller=Blog, action=Show | /Blog/Show
/blogs/first  | ANY /blog/{*article}                              | controller=Blog, action=Show |
/             | ANY /{controller}/{action}                        | controller=Home, action=List | /Home/List
/Order        | ANY /{controller}/{action}                        | controller=Home, action=List | /Order/List
/staff/Desks/Show | ANY /staff/{controller}/{action}              | area=Admin                   | /Admin/Desks/Show
"""
BEFORE = """
/orders/5    | GET /orders/5                | GET /orders/{id:int}
/orders/5    | GET /orders/{id:int}         | GET /orders/{id}
/orders/5    | GET /orders/{id}             | GET /orders/{*rest}
/orders/5    | GET /orders/{id}             | GET /orders/{id}/{page?}
/orders/5    | GET /orders/{id}             | GET /orders/{id}/{**rest}
/a/b         | GET /a/{x}                   | GET /{x}/b
/orders      | GET /orders                  | GET /orders/{page?}
GET /orders  | GET /orders                  | ANY /orders
/orders/{id} | GET /orders/{id}             | GET /orders/{key}
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def fit(asked: str, route: str) -> tuple[int, ...] | None:
    parsed = parse_route(asked)
    assert parsed is not None, asked
    return rank(parsed, route)


@pytest.mark.parametrize(("asked", "route"), rows(FITS))
def test_a_route_means_a_template(asked: str, route: str) -> None:
    assert fit(asked, route) is not None


@pytest.mark.parametrize(("asked", "route"), rows(DOES_NOT_FIT))
def test_a_route_does_not_mean_another_template(asked: str, route: str) -> None:
    assert fit(asked, route) is None


@pytest.mark.parametrize(("asked", "route", "defaults", "path"), rows(CONVENTIONS))
def test_a_convention_leads_to_the_path_of_an_action(asked: str, route: str, defaults: str, path: str) -> None:
    parsed = parse_route(asked)
    assert parsed is not None
    assert conventional_path(parsed, route, defaults) == path


@pytest.mark.parametrize(("asked", "better", "worse"), rows(BEFORE))
def test_the_most_literal_template_is_meant(asked: str, better: str, worse: str) -> None:
    first, second = fit(asked, better), fit(asked, worse)
    assert first is not None
    assert second is not None
    assert first < second


@pytest.mark.parametrize(
    "text", ["Order", "OrderService.Submit", "M:Shop.Order.Submit(System.Int32)", "Get", "", "sym_0"]
)
def test_a_name_is_not_a_route(text: str) -> None:
    assert parse_route(text) is None
