// Constructs that the grammar of the parser reads otherwise (ECMA-334 §6.2.5, §11, §12.4.2), and rules that few programs need.

namespace Constructs.CallsOfResults
{
    class C { Func<int, int> F<T>(int n) => x => x + n; Func<string, T, int> G<T>(T t) => (s, u) => s.Length; int[] H<T>(int n) => null!; async Task<int> Use(int n, C c) { F<C>(n)(1).CompareTo(1); c.F<C>(n)(n).ToString(); _ = F<C>(c.H<C>(1)[n])(2) + n; _ = -F<C>(n)(3) + 1; G<C>(c)("a", c).CompareTo(1); _ = H<C>(n)[0].CompareTo(2); _ = (long)F<C>(n)(4); return await Task.FromResult(F<C>(n)(5)) - F<string>(n)(6); } }
}

namespace Constructs.Comparisons
{
    class C { int n, m; bool Is(bool a, bool b) => a; bool Is(bool a, bool b, bool c) => c; void Use(C c, int i) { Is(n < m, m > i); Is(n < m, i > m && i > n); Is(c.n < c.m, i > c.m, i < n); var t = (n < m, m > n); t.Item1.CompareTo(true); bool a = n < m, b = m > (n); Is(a, b); _ = n < m == m > i; _ = n < m ? i : m > (i) ? 1 : 2; } }
}

namespace Constructs.PositionalPatterns // C# 9
{
    record P<T>(int X, T Y); record Q<T>(P<T> A, string B); record R(int X); class D<T, U> { public T V = default!; }
    class C<T> { int Use(object o, Q<T> q, D<T, R>[] ds) { if (o is R(var a)) a.CompareTo(1); if (o is P<T>(var b, _)) b.CompareTo(1); if (o is Q<T>(var c, var d) && d.Length > 1) c.X.CompareTo(1); if (o is not Q<T>(var e, _)) return 1; e.X.CompareTo(2); if (q is (P<T> f, _)) f.Y!.ToString(); if (o is P<T>(1, _) or P<C<T>>(_, null)) { } switch (o) { case P<R>(var g, R(var h)): g.CompareTo(h); break; case Q<T>(var i, _) when i.X > 1: i.X.CompareTo(1); break; case (D<T, R> j, 1): j.V!.ToString(); break; } if (ds is [D<T, R> k, _]) k.V!.ToString(); return o switch { Q<T>(var l, _) => l.X, P<T>(var m, _) n => n.X + m, D<T, R> { V: R(var r) } => r, _ => 0 }; } }
}

namespace Constructs.LiftedOperators // C# 9
{
    class Deadline { public static Deadline operator +(Deadline d, TimeSpan t) => d; public static Deadline operator +(Deadline d, TimeSpan? t) => d; public static Deadline operator -(Deadline d, TimeSpan? t) => d; public void Go() { } }
    struct S { public static S operator +(S d, TimeSpan t) => d; public static S operator +(S d, TimeSpan? t) => d; public static S operator -(S d, S e) => d; public static S? operator *(S? d, int t) => d; }
    class C { void Use(Deadline d, S s, S? r, TimeSpan? t, TimeSpan u, int i) { (d + t).Go(); (d + u).Go(); (d + null).Go(); (d - t).Go(); (d - u).Go(); _ = s + t; _ = s + u; _ = r + u; _ = r - s; _ = s - s; _ = r - null; _ = r * i; _ = s * i; (r - s)?.ToString(); (s - s).ToString(); } }
}

namespace Constructs.NestedNearer
{
    class Base { public class Kind { public static int N; } public class Gen<T> { public static int N; } protected void Plain() { } }
    class Outer { static void Kind() { } void Kind(int i) { } static void Gen() { } static void Plain() { } class Inner : Base { void Use() { Kind.N.CompareTo(1); Gen<int>.N.CompareTo(1); Plain(); Action a = Plain; a(); new Kind(); _ = nameof(Kind.N); } class Plain2 { } } void Use() { Action a = Kind; a(); Action<int> b = Kind; b(1); Kind(); Gen(); } }
    class Derived : Base { new class Plain { public static int N; } void Use() { Plain.N.CompareTo(1); } }
}

namespace Constructs.TaskLikes
{
    class C { void D(Func<C, ValueTask<object>> f) { } void D<T>(Func<C, T> f) { } void E<T>(Func<C, ValueTask<T>> f) { } void E<T>(Func<C, T> f) { } void F(Func<ValueTask> f) { } void F<T>(Func<T> f) { } void Use(Func<C, ValueTask<int>> v) { D(async c => (object)await v(c)); D(c => c); E(async c => await v(c)); E(v); F(async () => { await v(this); }); F(() => 1); } }
}

namespace Constructs.NonPublicSlots // C# 10
{
    interface I { internal object A(string s); protected internal int B { get; } protected void C(); internal static abstract int D(); private void P() { } }
    class One : I { public object A(string s) => s; public int B => 1; void I.C() { } public static int D() => 1; public void P() { } }
    class Two : I { public object A(string s) => s; public int B => 1; public void C() { } public static int D() => 1; }
}

namespace Constructs.ArgumentsOfBlocks // C# 14
{
    static class X { extension<K>(IDictionary<K, object> d) { public bool One<T>(K key, out T value) { value = default!; return true; } public bool Two<T>(K key) => true; } extension(IDictionary<string, object> d) { public bool One<T>(string key, out T value) { value = default!; return true; } } }
    class C { void Use(IDictionary<string, object> d) { d.One<string>("a", out var s); s.Trim(); d.One<string, C>("a", out var c); c.Use(d); d.Two<string, int>("a"); X.Two<string, int>(d, "a"); } }
}

namespace Constructs.Crefs
{
    class Base { public class InBase { } public void Method() { } }
    /// <summary><see cref="OnError"/> <see cref="Source"/> <see cref="Source{A}"/> <see cref="Source{A,B}"/> <see cref="Nested"/> <see cref="Nested.V"/> <see cref="Base.InBase"/></summary>
    class Outer { void OnError(Exception e) { } void Source<T>(int x) { }
        public class Nested : Base { public int V; 
            /// <summary><see cref="OnError"/> <see cref="Method"/> <see cref="Source"/> <see cref="Source{A,B}"/> <see cref="Gen"/> <see cref="Gen{A}"/> <see cref="Gen{A}(A)"/> <see cref="Outer.OnError"/></summary>
            public void OnNext() { }
            void Gen<T>(T t) { }
            void OnError() { } }
        class Method { } }
    class Source<A, B> { }
    class Source { }
}

namespace Constructs.OptionalByAttribute
{
    class C { bool Same(object? a, object? b) => true; bool Same(string? a, string? b, [System.Runtime.InteropServices.Optional, System.Runtime.InteropServices.DefaultParameterValue(false)] bool c) => c; void Use(object o) { Same("a", "b"); Same(o, "b"); Same("a", null, true); } }
}

namespace Constructs.PointersAsTypeArguments
{
    unsafe class C { void* Get() => null; int* Number() => null; int Plain() => 1; void Run(System.Linq.Expressions.Expression<Action<C>> f) { } void Run<T>(System.Linq.Expressions.Expression<Func<C, T>> f) { } void Do(Action<C> f) { } void Do<T>(Func<C, T> f) { } void Use() { Run(x => x.Get()); Do(x => x.Number()); Run(x => x.Plain()); Do(x => x.Plain()); } }
}

namespace Constructs.EnumsAreCreated
{
    enum E { A } struct S { } class C { object Use() { E e = new E(); e = new(); S s = new(); _ = new E().ToString(); _ = Enum.IsDefined(new E()); return new E() == e ? e : s; } T Make<T>() where T : new() => new T(); void Use2() => Make<E>().CompareTo(E.A); }
}

namespace Constructs.AssignedElements
{
    class Box { public int W; public Box? In; public List<Box> Many = new(); public Dictionary<string, Box> By = new(); public Box[]? All; }
    class C { Box f = new(); int n; Box P { get; set; } = new(); void Use() { Box a, b, c; var x = new[] { a = new Box(), b = new Box { W = 1 }, f = new Box(), P = new() }; Box[] y = { c = new Box(), f = a }; var z = new Box[] { a = new Box(), this.f = b }; var w = new Box[,] { { a = new Box(), b }, { f = a, b = c } }; var l = new List<Box> { new Box { W = 2 }, { a = new Box { W = 3 } } }; var o = new Box { In = { W = n = 4 }, Many = { new Box { W = 5 }, { f = new Box() } }, By = { ["a"] = new Box { W = 6 }, ["b"] = { W = 7 } }, All = new[] { a = b, f } }; var d = new Dictionary<string, Box> { { "a", f = new Box() }, ["b"] = c = a }; int[] i = { n = 1, n }; x[0].W++; y[n].W++; z[0].W++; w[0, 1].W++; l[0].W++; o.W++; d["a"].W++; i[0]++; c.W++; } }
}

namespace Constructs.ProductsOfNames
{
    struct M { public static M operator *(M a, M b) => a; public static M operator -(M a) => a; public static M operator +(M a, M b) => a; public static M Make(int i) => default; public M Back() => this; public M[] All => null!; }
    class C { void Use(M a, M b, int n) { var m = (-a) * b * (a) * M.Make(n); m = b * (a) * M.Make(n).Back(); m = (a) * b; m = b + (a) + b; m = (a) * (b) * (a); m = b * (a) * b.All[n] * M.Make(1); m = (b) + (a) * M.Make(1); m = (a) + b.Back(); } }
}
