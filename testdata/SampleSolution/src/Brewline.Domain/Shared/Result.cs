using System.Diagnostics.CodeAnalysis;

namespace Brewline.Domain.Shared;

/// <summary>Either a value or the reason why there is none.</summary>
public abstract record Result<T>
{
    private Result()
    {
    }

    public sealed record Success(T Value) : Result<T>;

    public sealed record Failure(string Code, string Reason) : Result<T>;

    public static implicit operator Result<T>(T value) => new Success(value);

    public TOut Match<TOut>(Func<T, TOut> success, Func<Failure, TOut> failure) => this switch
    {
        Success(var value) => success(value),
        Failure failed => failure(failed),
        _ => throw new InvalidOperationException("A result is a success or a failure."),
    };

    public bool TryGet([MaybeNullWhen(false)] out T value)
    {
        if (this is Success { Value: var found })
        {
            value = found;
            return true;
        }

        value = default;
        return false;
    }
}
