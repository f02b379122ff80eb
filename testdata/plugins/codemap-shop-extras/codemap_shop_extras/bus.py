"""What calls of the shop's own packages do, which no source here says."""

from codemap_core.model.meanings import Does, LibraryCalls, Meanings

SHOP_BUS = Meanings(
    name="shop_bus",
    calls=(LibraryCalls(does=Does.SENDS, types=("T:Shop.Bus.IShopBus",), names=("Raise", "Enqueue")),),
)
