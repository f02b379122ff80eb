"""Symbols as plain text names them."""

from __future__ import annotations

import pytest

from codemap_core.queries.plain_lines import called_name, named, overload_name


@pytest.mark.parametrize(
    ("symbol_id", "called", "told_apart"),
    [
        ("M:Shop.Order.Pay", "Order.Pay", "Order.Pay()"),
        ("M:Shop.Order.Pay(System.Int32,Shop.Money)", "Order.Pay", "Order.Pay(int, Money)"),
        ("M:Shop.Order.#ctor(System.String)", "new Order", "new Order(string)"),
        ("M:Shop.Order.#cctor", "Order.Order", "Order.Order()"),
        ("M:Shop.Store.Get``1(System.Guid)", "Store.Get", "Store.Get<T>(Guid)"),
        ("M:Shop.Store.Map``2(``0,``1)", "Store.Map", "Store.Map<T, T1>(T, T1)"),
        ("M:Shop.Store`1.Add(`0)", "Store.Add", "Store.Add(T)"),
        ("M:Shop.Order.On(System.Nullable{System.DateTime})", "Order.On", "Order.On(DateTime?)"),
        ("P:Shop.Order.Total", "Order.Total", "Order.Total"),
        ("P:Shop.Order.Item(System.Int32)", "Order.Item", "Order.Item(int)"),
        ("T:Shop.Order", "Order", "Order"),
        ("P:Shop.Order.Shop#IPayable#Total", "Order.IPayable.Total", "Order.IPayable.Total"),
        (
            "M:Shop.Store`1.System#Collections#Generic#IEnumerable{System#Linq#IGrouping{T,System#Int32}}#GetEnumerator",
            "Store.IEnumerable.GetEnumerator",
            "Store.IEnumerable.GetEnumerator()",
        ),
        ("P:web/shop/order.ts.Order.total", "order.ts.Order.total", "order.ts.Order.total"),
        ("T:web/order-list.view.ts", "order-list.view.ts", "order-list.view.ts"),
    ],
)
def test_what_is_called_and_which_overload(symbol_id: str, called: str, told_apart: str) -> None:
    assert called_name(symbol_id) == called
    assert overload_name(symbol_id) == told_apart


@pytest.mark.parametrize(
    ("signature", "name", "line"),
    [
        ("public class Order : Entity", "Order", "public class Order : Entity"),
        ("class Order<T> where T : new()", "Shop.Order", "class Shop.Order<T> where T : new()"),
        ("public Order Order { get; set; }", "Basket.Order", "public Order Basket.Order { get; set; }"),
        ("Task<Order> FindOrder<T>(Order like)", "Basket.FindOrder", "Task<Order> Basket.FindOrder<T>(Order like)"),
        ("private readonly int _count = 1", "Basket._count", "private readonly int Basket._count = 1"),
        ("public Basket(int count)", "Basket.Basket", "public Basket.Basket(int count)"),
        ("(int, int) Split(int at)", "Basket.Split", "(int, int) Basket.Split(int at)"),
        ("Task<(Till Till, int Pay)> Pay<T>(T by)", "Till.Pay", "Task<(Till Till, int Pay)> Till.Pay<T>(T by)"),
        ("void IBasket.Add()", "Basket.Add", "Basket.Add  void IBasket.Add()"),
        ("int this[int at] { get; }", "Basket.this[]", "Basket.this[]  int this[int at] { get; }"),
        ("class Order<T>", "Shop.Order<T>", "Shop.Order<T>  class Order<T>"),
        ("Full", "State.Full", "State.Full"),
    ],
)
def test_a_signature_names_what_it_declares(signature: str, name: str, line: str) -> None:
    assert named(signature, name) == line
