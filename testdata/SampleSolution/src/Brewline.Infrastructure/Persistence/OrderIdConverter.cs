using Brewline.Domain.Orders;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;

namespace Brewline.Infrastructure.Persistence;

internal sealed class OrderIdConverter() : ValueConverter<OrderId, int>(id => id.Value, value => new OrderId(value));
