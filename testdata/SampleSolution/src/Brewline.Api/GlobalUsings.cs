global using Brewline.Domain.Catalog;
global using Brewline.Domain.Orders;
global using Brewline.Domain.Shared;
global using OrderLines = System.Collections.Generic.IReadOnlyList<Brewline.Api.Contracts.OrderLineRequest>;
