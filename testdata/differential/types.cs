// Expressions, statements, patterns, members (ECMA-334 §11 to §15): one program a namespace.

namespace Expr.Conditional
{
    class A { public B? B; public B? Get(int i) => B; public B? this[int i] => B; public int N; public event Action? E; public A? Self => this; }
    class B { public A? A; public string S = ""; public int V { get; set; } public Func<B>? F; }
    class C { void Use(A? a) { a?.B?.S.Trim().Length.CompareTo(1); a?.Get(1)?.A?[2]?.S.Trim(); var n = a?.N; n?.CompareTo(1); (a?.B ?? new B()).S.Trim(); a?.B?.F?.Invoke().S.Trim(); a!.B!.S.Trim(); var s = a?.B?.S ?? "x"; s.Trim(); if (a?.N is > 1) { } a?.Self?.Self!.B?.V.CompareTo(1); a?.B?.F!().S.Trim(); a?.B?.V = 3; a?.B?.S += "x"; } }
}

namespace Expr.Foreach
{
    class E { public bool MoveNext() => false; public string Current => ""; }
    class Pat { public E GetEnumerator() => new(); }
    class Impl : IEnumerable<int> { public IEnumerator<int> GetEnumerator() => null!; System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null!; }
    class Dict : Dictionary<string, List<int>> { }
    class C { async Task Use(Pat p, Impl i, Dict d, int[,] m, IAsyncEnumerable<string> a, List<(int id, string name)> l, System.Collections.IEnumerable u, Span<int> s, System.Collections.ArrayList al) { foreach (var x in p) x.Trim(); foreach (var x in i) x.CompareTo(1); foreach (var x in d) { x.Key.Trim(); x.Value.Add(1); } foreach (var (k, v) in d) { k.Trim(); v.Add(1); } foreach (var x in m) x.CompareTo(1); await foreach (var x in a) x.Trim(); foreach (var (id, name) in l) name.Trim(); foreach (string x in u) x.Trim(); foreach (ref var x in s) x.CompareTo(1); foreach (var x in "abc") x.CompareTo('a'); foreach (string x in al) x.Trim(); foreach (var x in l.Where(t => t.id > 1).Select(t => t.name)) x.Trim(); } }
}

namespace Expr.UsingLock
{
    class R : IDisposable { public void Dispose() { } public int V; public static R Open() => new(); }
    class AR : IAsyncDisposable { public ValueTask DisposeAsync() => default; public int V; }
    ref struct RS { public void Dispose() { } public int V; }
    class C { async Task Use(object o) { using (var r = R.Open()) r.V++; using var q = new R(); q.V++; await using var z = new AR(); z.V++; using (R x = new(), y = new()) { x.V = y.V; } lock (o) { q.V--; } using (R.Open()) { } try { } catch (ArgumentException e) when (e.ParamName == "a") { e.Message.Trim(); } catch (Exception) { throw; } finally { q.Dispose(); } unchecked { q.V++; } await Task.Delay(1).ConfigureAwait(false); } void Un() { using var r = new RS(); _ = r.V; } }
}

namespace Expr.Await
{
    class Aw { public Awr GetAwaiter() => new(); }
    class Awr : System.Runtime.CompilerServices.INotifyCompletion { public bool IsCompleted => true; public string GetResult() => ""; public void OnCompleted(Action a) { } }
    class C { Task<List<string>> L() => null!; ValueTask<int> V() => default; async Task<string> S() => (await L()).First().Trim(); async Task Use() { (await new Aw()).Trim(); (await L())[0].Trim(); (await V()).CompareTo(1); var x = await L().ConfigureAwait(false); x.Add("a"); var t = await Task.WhenAny(S(), S()); (await t).Trim(); var (a, b) = (await S(), await V()); a.Trim(); b.CompareTo(1); (await Task.FromResult(new { N = 1 })).N.CompareTo(1); foreach (var s in await L()) s.Trim(); await Task.Yield(); await (await Task.FromResult(S())); } }
}

namespace Expr.Tuples
{
    class P { public int X, Y; public void Deconstruct(out int x, out string y) { x = X; y = ""; } public void Deconstruct(out int x, out int y, out int z) { x = y = z = 0; } }
    class C { (string name, int age) T() => ("a", 1); int f; string g = ""; void Use(P p, (int a, (string b, long c) d) n) { T().name.Trim(); var t = T(); t.age.CompareTo(1); t.Item1.Trim(); var (x, y) = p; x.CompareTo(1); y.Trim(); var (q, r, s) = p; s.CompareTo(1); (f, g) = p; (f, var h) = T() is var (i, j) ? (j, i) : (1, "a"); h.Trim(); n.d.b.Trim(); n.d.c.CompareTo(1L); (p.X, p.Y) = (p.Y, p.X); var z = (p.X, g, Len: g.Length); z.X.CompareTo(1); z.g.Trim(); z.Len.CompareTo(1); foreach (var (k, v) in new Dictionary<string, int>()) k.Trim(); if (t == ("a", 1)) { } var big = (1, 2, 3, 4, 5, 6, 7, "h"); big.Item8.Trim(); (int m, string w) = T().name.Length > 1 ? (1, "a") : (2, "b"); w.Trim(); (_, var u) = T(); u.CompareTo(2); } }
}

namespace Expr.Patterns
{
    abstract record Shape; record Circle(double R) : Shape; record Rect(double W, double H) : Shape { public Point? At { get; init; } } record Point(int X, int Y); record Group(Shape[] Items, string Name) : Shape;
    enum Kind { A, B }
    class C { const int K = 3; double Area(Shape s) => s switch { Circle { R: var r } => r * r, Rect(var w, var h) { At: { X: > 1 } p } => w * h + p.Y, Rect { W: 1, At.Y: 2 } => 1, Group { Items: [Circle c, .., Rect { H: var hh }], Name.Length: > 1 and < K } => c.R + hh, Group([var only], _) => Area(only), Group { Items.Length: 0 } => 0, _ => throw new ArgumentException(nameof(s)) }; bool T(object o, Kind k) => o is (Circle or Rect) and not null && k is Kind.A or Kind.B && o is int and >= K && o is string { Length: K } && o is Shape and Rect { W: double.NaN } && o is [1, 2, ..] && o is List<int> { Count: > 1 } l && l.Count > K; void U(Shape s, Kind k, (int, Shape) t, int[] a) { switch (s, k) { case (Circle c, Kind.A): c.R.CompareTo(1); break; case (Rect { At: null }, _): break; } if (t is (1, Circle { R: 2 } cc)) cc.R.CompareTo(2); if (a is [var f, .. var rest]) { f.CompareTo(1); rest.Length.CompareTo(1); } if (s is Point) { } if (k is Kind.A) { } if (s is not Rect rr) return; rr.W.CompareTo(1); } }
}

namespace Expr.Initialisers
{
    class A { public int P { get; set; } public B B { get; } = new(); public List<B> L { get; set; } = new(); public Dictionary<string, B> D { get; } = new(); public int[] Arr = new int[2]; public B? N; public A? Next { get; set; } public required string Req { get; init; } }
    class B { public string S = ""; public int this[int i] { get => i; set { } } public B() { } public B(int i) { } }
    class Bag : System.Collections.IEnumerable { public void Add(int i) { } public void Add(string s, int n) { } public void Add(params object[] o) { } public System.Collections.IEnumerator GetEnumerator() => null!; }
    class C { void Use() { var a = new A { P = 1, B = { S = "a", [0] = 2 }, L = { new B { S = "x" }, new(1) }, D = { ["k"] = new() { S = "z" }, { "q", new B(2) } }, N = new B() { S = "n" }, Next = new A() { Req = "r", P = 2 }, Req = "z" }; a.B.S.Trim(); A b = new() { Req = "q", L = [new(), new(1)] }; var bag = new Bag { 1, { "a", 2 }, { 1, 2, 3 } }; var d = new Dictionary<string, List<int>> { ["a"] = [1, 2], { "b", new List<int> { 3 } } }; d["a"].Add(1); var arr = new[] { new B(), new B(1) }; arr[0].S.Trim(); int[][] j = [[1], [2, 3]]; j[0][0].CompareTo(1); B[] bs = { new(), new(2) }; List<B> lb = [.. bs, new(3)]; lb[0].S.Trim(); var an = new { a.P, X = a.B, a.B.S }; an.P.CompareTo(1); an.X.S.Trim(); an.S.Trim(); HashSet<string> hs = ["a"]; IReadOnlyList<B> ro = [new(1)]; B[,] m = { { new(), new(1) } }; var sa = stackalloc[] { 1, 2 }; Span<int> sp = [1, 2]; } }
}

namespace Expr.Records
{
    record R(int A, string B) { public int D { get; init; } = 1; public R Bump() => this with { A = A + 1, D = 2 }; public virtual bool Is(R o) => this == o && o != this && Equals(o) && o.GetHashCode() == 1; }
    record S(int A, string B, long E) : R(A, B) { public override bool Is(R o) => base.Is(o) && o is S { E: > 1 } && o.ToString() == ""; protected override bool PrintMembers(System.Text.StringBuilder b) => base.PrintMembers(b); }
    readonly record struct V(int X, int Y) { public static V Zero => new(0, 0); public V Add(V o) => new(X + o.X, Y + o.Y); }
    record struct M(int X) { public int Z; }
    record G<T>(T Item) where T : R { public G<U> To<U>(U u) where U : R => new(u); }
    class C { void Use(R r, S s, V v, M m, G<S> g) { r.B.Trim(); var (a, b) = r; b.Trim(); var (x, y, z) = s; z.CompareTo(1L); (s with { E = 3 }).E.CompareTo(1L); v.Add(V.Zero).X.CompareTo(1); m.X = 2; m = m with { X = 3, Z = 4 }; g.Item.E.CompareTo(1L); g.To(r).Item.B.Trim(); new S(1, "a", 2L).Bump().A.CompareTo(1); if (r is (1, "a")) { } if (v is { X: 1 } or (2, _)) { } _ = r == s; v.Equals(v); v.Deconstruct(out var p, out _); } }
}

namespace Expr.Operators
{
    struct V { public int X; public static V operator +(V a, V b) => a; public static V operator +(V a, int b) => a; public static V operator -(V a) => a; public static bool operator ==(V a, V b) => true; public static bool operator !=(V a, V b) => false; public static V operator ++(V a) => a; public static bool operator true(V a) => true; public static bool operator false(V a) => false; public static V operator &(V a, V b) => a; public static V operator |(V a, V b) => a; public static implicit operator V(int i) => default; public static explicit operator int(V v) => 1; public static bool operator <(V a, V b) => true; public static bool operator >(V a, V b) => true; public static V operator checked +(V a, V b) => b; public static V operator <<(V a, int i) => a; public static V operator >>>(V a, int i) => a; public override bool Equals(object? o) => o is V v && this == v; public override int GetHashCode() => X; public static V operator !(V v) => v; public static V operator ~(V v) => v; public static V operator %(V a, long b) => a; }
    class W { public int N; public void operator +=(int i) { } public void operator ++() { } public static W operator *(W a, W b) => a; public static W operator /(W a, object o) => a; }
    class X : W { public static X operator -(X a, W b) => a; }
    class C { void Use(V a, V b, W w, X x, V? n, List<V> l) { _ = (a + b).X; _ = (a + 1).X; _ = (-a).X; _ = a == b; a += b; a += 2; a++; ++b; _ = a < b; if (a && b) { } if (a || b) { } _ = checked(a + b); var s = a << 2; s.X++; s >>>= 1; w += 1; w++; (w * w).N++; _ = n + a; _ = (n + n)!.Value.X; w *= w; (x * w).N++; (x - x).N++; x -= w; _ = x / "a"; l[0] += 1; _ = l.Aggregate((p, q) => p + q).X; V z = 1; _ = (int)z; checked { a = a + b; } _ = !a; _ = ~a; _ = (a % 2).X; if (a) { } _ = a != default; DateTime.Now.AddDays(1).Subtract(DateTime.Now - TimeSpan.FromDays(1)).TotalDays.CompareTo(1); decimal m = 1m + 2; _ = m * 2 > 3; _ = "a" + a; string t = "a"; t += 1; _ = t == "b"; } }
}

namespace Expr.GenericMath
{
    using System.Numerics;
    interface IMonoid<T> where T : IMonoid<T> { static abstract T Zero { get; } static abstract T operator +(T a, T b); static virtual T Twice(T t) => t + t; }
    struct N : IMonoid<N> { public int V; public static N Zero => default; public static N operator +(N a, N b) => a; }
    class C { static T Sum<T>(IEnumerable<T> s) where T : IMonoid<T> { var r = T.Zero; foreach (var x in s) r = r + x; r += T.Twice(r); return r; } static T Add<T>(T a, T b) where T : INumber<T> => a + b * T.One - T.Parse("1", null); static T Max<T>(T a, T b) where T : IComparisonOperators<T, T, bool> => a > b ? a : b; void Use(N[] n) { Sum(n).V.CompareTo(1); Add(1, 2).CompareTo(3); Add(1.5, 2).CompareTo(3); Max(1, 2).CompareTo(2); int.CreateChecked(2L); } }
}

namespace Expr.Indexers
{
    class A { public string this[int i] => ""; public int this[string s] { get => 1; set { } } public A this[int i, int j] => this; public char this[Index i] => 'a'; public string this[Range r] => ""; }
    class B { public int Count => 1; public string this[int i] => ""; public B Slice(int a, int b) => this; }
    class C { void Use(A a, B b, int[] x, string s, List<int> l, Dictionary<string, A> d, Span<int> sp) { a[1].Trim(); a["x"] = 2; a["x"]++; a[1, 2][3].Trim(); a[^1].CompareTo('a'); a[1..2].Trim(); b[^1].Trim(); b[1..].Slice(1, 2); x[^1].CompareTo(1); x[1..].Length.CompareTo(1); s[1..^1].Trim(); s[^1].CompareTo('a'); l[^1].CompareTo(1); d["k"][1].Trim(); d["k"]["z"] += 2; sp[1..][0].CompareTo(1); a?[1].Trim(); x[0]++; (l[0], x[1]) = (1, 2); Index i = ^1; Range r = ..i; a[i].CompareTo('z'); a[r].Trim(); } }
}

namespace Expr.Queries
{
    record P(string Name, int Age, int Dept); record D(int Id, string Title);
    class C { void Use(List<P> ps, List<D> ds, IQueryable<P> q) { (from p in ps where p.Age > 1 orderby p.Name descending, p.Age select p.Name).First().Trim(); (from p in ps join d in ds on p.Dept equals d.Id select new { p.Name, d.Title }).First().Title.Trim(); (from p in ps group p by p.Dept into g where g.Count() > 1 select new { g.Key, N = g.Sum(x => x.Age) }).First().N.CompareTo(1); (from p in ps from c in p.Name let u = char.ToUpper(c) where u > 'a' select (u, p.Age)).First().Age.CompareTo(1); (from p in ps join d in ds on p.Dept equals d.Id into gd from d in gd.DefaultIfEmpty() select d.Title ?? p.Name).First().Trim(); (from p in q where p.Age > 2 select p.Dept).Max().CompareTo(1); foreach (var g in from p in ps group p.Name by p.Age) g.First().Trim(); (from P p in new System.Collections.ArrayList() select p.Name).First().Trim(); (from p in ps select p into x where x.Age > 1 select x.Name.Length).Sum().CompareTo(1); var z = from a in new[] { 1 } from b in new[] { "x" } from c in new[] { 1.5 } select new { a, b, c }; z.First().b.Trim(); z.First().c.CompareTo(1); } }
}

namespace Expr.Nameof
{
    class A { public int P; public static void M() { } public static void M(int i) { } public class N { public int Q; } public event Action? E; }
    class G<T> { public T V = default!; }
    class C { string f = ""; void Use(A a, int par) { _ = nameof(A); _ = nameof(A.P); _ = nameof(a.P); _ = nameof(A.N.Q); _ = nameof(f); _ = nameof(f.Length); _ = nameof(par); _ = nameof(G<int>.V); _ = nameof(System.Text); _ = nameof(Use); _ = nameof(A.E); _ = nameof(G<>); _ = nameof(List<int>.Count); _ = nameof(C.f.Length); } }
}

namespace Expr.Attributes
{
    using System.Diagnostics;
    [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] class TagAttribute : Attribute { public TagAttribute() { } public TagAttribute(string s, int n = 0) { } public TagAttribute(Type t) { } public string? Note { get; set; } public int F; }
    class Gen<T> : Attribute { }
    class Names { public const string K = "k"; }
    [Tag, Tag("a"), Tag(Names.K, Note = "x" + Names.K, F = 1)] [Gen<int>] [Obsolete("x"), DebuggerDisplay("y")] class C { [Tag(typeof(List<Names>))] int f; [field: Tag] public int P { get; [Tag] set; } [return: Tag("r")] [method: Tag] int M([Tag(nameof(p))] int p, [System.Runtime.CompilerServices.CallerMemberName] string n = "") => p; [TagAttribute(n: 3, s: "q")] enum E { [Tag] A } [Tag] delegate void D([Tag] int i); [Tag] event Action? Ev; void L<[Tag] T>() { var l = [Tag] (int x) => x; [Tag] void Lf() { } Lf(); } }
}

namespace Expr.CrefsAndDocs
{
    /// <summary>See <see cref="C.M(int)"/>, <see cref="C.P"/>, <see cref="List{T}.Add"/>, <see cref="Gen{T}"/>, <see cref="String"/>.</summary>
    class Gen<T> { /// <seealso cref="C"/> <paramref name="t"/> <see cref="Of{U}(T, U)"/>
        public void Of<U>(T t, U u) { } }
    /// <see cref="op_Addition"/> <see cref="C.operator +(C, C)"/> <exception cref="ArgumentNullException">x</exception> <see cref="C(int)"/> <inheritdoc cref="Gen{T}.Of{U}"/>
    class C { public C(int i) { } /// <see cref="P"/> <see cref="M(string, ref int)"/> <see cref="Gen{T}.Of"/>
        public void M(int i) { } public void M(string s, ref int r) { } public int P { get; } public int this[int i] => i; public static C operator +(C a, C b) => a; }
}

namespace Expr.Events
{
    class A { public event EventHandler? Changed; public event Action<string> Named = delegate { }; protected void Raise() { Changed?.Invoke(this, EventArgs.Empty); Named("a"); Named.Invoke("b"); if (Changed != null) Changed(this, new()); } public static event Func<int>? Stat; }
    class B : A { void On(object? s, EventArgs e) { } void Use(A a) { a.Changed += On; a.Changed -= On; Changed += (s, e) => e.ToString(); a.Named += Console.WriteLine; a.Named += n => n.Trim(); A.Stat += () => 1; Stat -= Get; a.Changed += new EventHandler(On); a.Changed += (EventHandler)On; Raise(); EventHandler h = On; a.Changed += h; } static int Get() => 1; }
}

namespace Expr.Lambdas
{
    delegate bool Try(string s, out int i); delegate ref int Rf(int[] a); delegate void Pr(params int[] a);
    class C { static int N; Func<int, int> F = x => x + N; Func<string, Func<int, string>> G => s => i => s.Substring(i); Action<Action<string>> H = a => a("x"); Try T = (string s, out int i) => int.TryParse(s, out i); Try T2 = int.TryParse; Comparison<string> K = (a, b) => a.Length - b.Length; Predicate<int> Pd = delegate (int i) { return i > N; }; System.Linq.Expressions.Expression<Func<string, int>> E = s => s.Trim().Length; void Use() { F(1).CompareTo(1); G("a")(1).Trim(); H(s => s.Trim()); T("a", out var i); i.CompareTo(1); Func<Task<int>> at = async () => { await Task.Delay(1); return N; }; at().Result.CompareTo(1); Action a = () => F(2); a += () => N++; a(); Func<int, string> sw = x => x switch { 1 => "a", _ => x.ToString() }; sw(1).Trim(); new List<string>().Sort((x, y) => x.Length.CompareTo(y.Length)); Enumerable.Range(0, 1).Select(x => new { x, y = x * 2 }).Where(z => z.y > z.x).Select(z => (z.x, z.y)).ToList().ForEach(t => t.y.CompareTo(t.x)); Func<object> cov = () => "a"; var st = static (int q) => q * 2; st(2).CompareTo(1); ((Func<int, int>)(w => w + 1)).ToString(); } }
}

namespace Expr.CastsAndTypes
{
    interface I { void M(); } class A : I { public void M() { } public int V; } class B : A { public int W; }
    class C { void Use(object o, A a, I i) { ((B)a).W++; (a as B)!.W++; ((A)o).V++; (o as A)?.M(); ((I)o).M(); _ = o is B { W: 1 }; _ = (int)1.5; _ = typeof(A).Name; _ = default(A)?.V; _ = sizeof(int); ((Action)(() => a.M()))(); ((IEnumerable<A>)o).First().V++; _ = (A?)null; checked((int)1L).CompareTo(1); (o is A ? (A)o : new B()).V++; object[] arr = new A[1]; ((A[])arr)[0].V++; unsafe { int x = 1; int* p = &x; *p = 2; p[0] = (*p).CompareTo(2); A2 s; A2* q = &s; q->F = 1; } } struct A2 { public int F; } }
}

namespace Expr.Iterators
{
    class C { IEnumerable<(int n, string s)> It(bool b) { if (b) yield break; yield return (1, "a"); foreach (var x in It(true)) yield return x with { n = 2 }; } async IAsyncEnumerable<string> As([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken t = default) { await Task.Delay(1, t); yield return "a"; } IEnumerator<C> En() { yield return new(); } async Task Use() { foreach (var (n, s) in It(false)) s.Trim(); await foreach (var x in As().WithCancellation(default)) x.Trim(); It(true).First().s.Trim(); } }
}

namespace Slots.Overrides
{
    abstract class A { public abstract void M(); public virtual int P { get; set; } public virtual string this[int i] => ""; public virtual event Action? E; public abstract T G<T>(T t); protected virtual A Cov() => this; }
    class B : A { public override void M() { } public override int P { get => base.P; set => base.P = value; } public override string this[int i] => base[i]; public override event Action? E; public override T G<T>(T t) => t; protected override B Cov() => this; public override string ToString() => ""; public sealed override int GetHashCode() => 1; }
    class D : B { public sealed override void M() => base.M(); public override int P => 1; public override bool Equals(object? o) => base.Equals(o); }
}

namespace Slots.Implementations
{
    interface I<T> { T Get(T t); void Put(T t); int P { get; set; } string this[T t] { get; } event Action E; static abstract I<T> Make(); void Def() { } }
    interface J : I<string> { new void Put(string s); void K(); }
    class C : J, IDisposable, IComparable<C>, IEnumerable<int> { public string Get(string t) => t; void I<string>.Put(string t) { } public void Put(string s) { } public int P { get; set; } public string this[string t] => t; public event Action? E; public static I<string> Make() => new C(); public void K() { } public void Dispose() { } public int CompareTo(C? o) => 0; public IEnumerator<int> GetEnumerator() => null!; System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator(); }
    class Base { public void K() { } public void Def() { } public void M(int i) { } }
    interface L { void K(); void M(int i); }
    class Derived : Base, L { }
    class Re : Derived, L { public new void K() { } void L.M(int i) { } }
    abstract class Ab : L { public abstract void K(); public virtual void M(int i) { } }
    class Cn : Ab { public override void K() { } public override void M(int i) { } }
    struct St : IEquatable<St>, IFormattable { public bool Equals(St o) => true; public string ToString(string? f, IFormatProvider? p) => ""; }
}

namespace Generics.Substitution
{
    class A<T> { public T V = default!; public List<T> L = new(); public B<T, U> With<U>(U u) => new(); public class In<X> { public (T, X) Pair; public A<X> Up() => new(); } public event Action<T>? E; public T this[int i] => V; public static A<T> Of(T t) => new(); public Dictionary<string, T[]> D = new(); }
    class B<T, U> : A<U> { public T W = default!; public A<T> Base => new(); }
    class D : B<string, int> { }
    class C { void Use(A<string> a, D d, A<int>.In<string> i) { a.V.Trim(); a.L[0].Trim(); a.With(1).W.Trim(); a.With(1).V.CompareTo(1); d.V.CompareTo(1); d.W.Trim(); d.Base.V.Trim(); i.Pair.Item1.CompareTo(1); i.Pair.Item2.Trim(); i.Up().V.Trim(); a.E += s => s.Trim(); d[0].CompareTo(1); A<List<int>>.Of(new()).V.Add(1); a.D["k"][0].Trim(); d.L.Select(x => x.CompareTo(1)).First().CompareTo(2); } }
}

namespace Generics.SelfReferencing
{
    abstract class Builder<TSelf> where TSelf : Builder<TSelf> { public TSelf Named(string s) => (TSelf)this; public abstract TSelf Clone(); }
    class Car : Builder<Car> { public Car Wheels(int n) => this; public override Car Clone() => this; }
    interface ISpec<T, TR> where TR : ISpec<T, TR> { TR And(T t); } class Sp : ISpec<int, Sp> { public Sp And(int t) => this; }
    class C { static T Go<T>(T t) where T : Builder<T> => t.Named("a").Clone(); void Use() { new Car().Named("a").Wheels(4).Clone().Wheels(2).Named("b"); Go(new Car()).Wheels(3); new Sp().And(1).And(2); } }
}

namespace Generics.Variance
{
    interface IOut<out T> { T Get(); } interface IIn<in T> { void Put(T t); } class A { public int V; } class B : A { }
    class C { static T Take<T>(IOut<T> o) => o.Get(); static void Feed(IIn<B> i) { } static void N(IOut<A> o) { } static void N(IOut<object> o) { } void Use(IOut<B> o, IIn<A> i, Func<B> f, Action<A> g) { Take(o).V++; N(o); Feed(i); IOut<A> x = o; x.Get().V++; Func<A> fa = f; fa().V++; Action<B> gb = g; gb(new B()); IEnumerable<A> e = new List<B>(); e.First().V++; new List<A>().Concat(new List<B>()).First().V++; } }
}
