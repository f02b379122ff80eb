// Inference of type arguments, ECMA-334 §12.6.3: one program a namespace.

namespace Inference.FromArguments
{
    class Box<T> { public T Value => default!; public Box<U> Map<U>(Func<T, U> f) => new(); public void Put(T t) { } }
    class C
    {
        static T Id<T>(T t) => t;
        static Box<T> Wrap<T>(T t) => new();
        static T First<T>(IEnumerable<T> s) => default!;
        static V Get<K, V>(IDictionary<K, V> d, K k) => default!;
        void Use(List<string> l, Dictionary<int, List<string>> d, int[] a)
        {
            Id("a").Trim(); Wrap(1).Value.CompareTo(2); First(l).Trim(); First(a).CompareTo(1); Get(d, 1).Add("x"); First(First(new[] { l })).Length.CompareTo(0); Wrap(l).Value.Add("a"); Wrap("a").Map(x => x.Length).Map(x => x.ToString()).Value.Trim();
        }
    }
}

namespace Inference.LambdaTwoPhases
{
    class C
    {
        static B Map<A, B>(A a, Func<A, B> f) => f(a);
        static D Chain<A, B, D>(A a, Func<A, B> f, Func<B, D> g) => g(f(a));
        static T Fold<S, T>(IEnumerable<S> s, T seed, Func<T, S, T> f) => seed;
        static T Make<T>(Func<T> f) => f();
        void Use(string[] a)
        {
            Map("a", x => x.Length).CompareTo(1); Chain("a", x => x.Length, n => n.ToString()).Trim(); Fold(a, 0, (n, s) => n + s.Length).CompareTo(1); Make(() => "a").Trim(); Make(() => { return a; }).Length.CompareTo(1); Make(() => { if (a.Length > 1) return 1; return 2L; }).CompareTo(1L); Map(a, x => x.Select(y => y.Length)).Sum();
        }
    }
}

namespace Inference.MethodGroups
{
    class C
    {
        static int Len(string s) => s.Length;
        static string Str(int i) => "";
        static B Map<A, B>(A a, Func<A, B> f) => f(a);
        static IEnumerable<B> All<A, B>(IEnumerable<A> a, Func<A, B> f) => a.Select(f);
        void Use(string[] a) { Map("a", Len).CompareTo(1); All(a, Len).Select(Str).First().Trim(); a.Select(Len).Where(IsBig).ToList().Add(1); a.ToDictionary(Len, s => s.Trim())[1].Trim(); a.OrderBy(Len).ThenBy(s => s).Last().Trim(); }
        static bool IsBig(int i) => i > 1;
    }
}

namespace Inference.ExactLowerUpper
{
    class A { public void MA() { } }
    class B : A { public void MB() { } }
    class C
    {
        static T Two<T>(T a, T b) => a;
        static T Both<T>(IEnumerable<T> a, T b) => b;
        static T Same<T>(List<T> a, T b) => b;
        static T Ref<T>(ref T a, T b) => a;
        static T Con<T>(Action<T> a, Action<T> b) => default!;
        static T Co<T>(Func<T> a, Func<T> b) => default!;
        void Use(A a, B b, List<A> l, List<B> m) { Two(a, b).MA(); Two(b, b).MB(); Both(m, a).MA(); Same(l, b).MA(); Ref(ref a, b).MA(); Con((A x) => x.MA(), (A y) => y.MA()).MA(); Co(() => a, () => b).MA(); Two(1, 2L).CompareTo(1L); Two("a", null!).Trim(); Two(null!, b).MB(); }
    }
}

namespace Inference.Nullable
{
    class C
    {
        static T Val<T>(T? x) where T : struct => x!.Value;
        static T Or<T>(T? x, T y) => y;
        static T? Opt<T>(Func<T> f) where T : struct => f();
        void Use(int? n, string? s) { Val(n).CompareTo(1); Or(n, 3)!.Value.CompareTo(2); Or(s, "a").Trim(); Opt(() => 1)!.Value.CompareTo(1); n?.CompareTo(1).ToString().Trim(); s?.Trim().Length.CompareTo(1); }
    }
}

namespace Inference.ArraysAndTuples
{
    class C
    {
        static T El<T>(T[] a) => a[0];
        static T El2<T>(T[][] a) => a[0][0];
        static (B, A) Swap<A, B>((A, B) t) => (t.Item2, t.Item1);
        static A Fst<A, B>((A a, B b) t) => t.a;
        static Dictionary<K, V> ToMap<K, V>(params (K, V)[] t) where K : notnull => new();
        void Use() { El(new[] { "a" }).Trim(); El2(new[] { new[] { 1 } }).CompareTo(1); Swap((1, "a")).Item1.Trim(); Fst(("a", 1)).Trim(); ToMap((1, "a"), (2, "b"))[1].Trim(); var (x, y) = Swap((1, "a")); x.Trim(); y.CompareTo(1); }
    }
}

namespace Inference.Async
{
    class C
    {
        static Task<T> Run<T>(Func<Task<T>> f) => f();
        static async Task<B> Then<A, B>(Task<A> t, Func<A, B> f) => f(await t);
        static ValueTask<T> V<T>(T t) => new(t);
        async Task Use() { (await Run(async () => "a")).Trim(); (await Run(async () => { await Task.Yield(); return "b"; })).Trim(); (await Then(Task.FromResult("a"), x => x.Length)).CompareTo(1); (await V("c")).Trim(); (await Task.WhenAll(Run(() => Task.FromResult(1)))).Length.CompareTo(1); (await Task.Run(() => "x")).Trim(); (await Run(async () => await Run(async () => "d"))).Trim(); }
    }
}

namespace Inference.LinqChains
{
    record Person(string Name, int Age, List<string> Tags);
    class C
    {
        void Use(List<Person> p)
        {
            p.Where(x => x.Age > 1).Select(x => x.Name).Where(n => n.Length > 1).Select(n => n.Trim()).ToList().ForEach(n => n.ToUpper());
            p.GroupBy(x => x.Age).Select(g => new { g.Key, Names = g.Select(x => x.Name).ToList() }).Where(a => a.Names.Count > 1).OrderBy(a => a.Key).First().Names[0].Trim();
            p.SelectMany(x => x.Tags).Distinct().ToDictionary(t => t, t => t.Length).Values.Sum();
            p.SelectMany(x => x.Tags, (x, t) => (x.Name, t)).Select(z => z.Name + z.t).First().Trim();
            p.Join(p, a => a.Name, b => b.Name, (a, b) => new { a.Age, b.Tags }).First().Tags.Add("a");
            p.Aggregate(0, (n, x) => n + x.Age).CompareTo(1);
            p.Aggregate(new Dictionary<string, int>(), (d, x) => { d[x.Name] = x.Age; return d; }, d => d.Count).CompareTo(2);
            p.Zip(p, (a, b) => a.Name + b.Name).First().Trim();
            p.ToLookup(x => x.Age)[1].First().Name.Trim();
            p.Select((x, i) => new { x, i }).OrderByDescending(z => z.i).ThenBy(z => z.x.Name).Select(z => z.x.Tags).First().Add("b");
            p.Max(x => x.Age).CompareTo(1); p.MaxBy(x => x.Age)!.Name.Trim(); p.Average(x => x.Age).CompareTo(1.0); p.Sum(x => (long)x.Age).CompareTo(1L);
            p.Chunk(2).First()[0].Name.Trim(); p.Any(x => x.Tags.Any(t => t.Length > x.Age)); p.All(x => x.Name is not null); p.Count(x => x.Age == 1);
        }
    }
}

namespace Inference.ReturnTypeOfBlock
{
    class A { public int P; }
    class B : A { }
    class C
    {
        static T Get<T>(Func<T> f) => f();
        static T Get<T>(Func<int, T> f) => f(1);
        void Use(bool f) { Get(() => { if (f) return new A(); return new B(); }).P++; Get(() => f ? new B() : new A()).P = 1; Get(i => i > 1 ? "a" : null)!.Trim(); Get(() => { try { return "a"; } catch { return "b"; } }).Trim(); Get(i => { switch (i) { case 1: return "a"; default: return "b"; } }).Trim(); Get(() => { foreach (var s in new[] { "a" }) return s; return null; })!.Trim(); Get(() => { string L() { return 1.ToString(); } return L(); }).Trim(); }
    }
}

namespace Inference.Recursive
{
    class Node<T> { public Node<T> Add(T t) => this; public Node<U> As<U>(Func<Node<T>, U> f) => new(); public T V => default!; }
    static class X { public static Node<T> Start<T>(this T t) => new(); public static Node<(A, B)> Pair<A, B>(this Node<A> a, Node<B> b) => new(); }
    class C { void Use() { "a".Start().Add("b").As(n => n.V.Length).V.CompareTo(1); 1.Start().Pair("a".Start()).V.Item2.Trim(); new[] { 1 }.Start().V.Length.CompareTo(1); } }
}

namespace Inference.InterfaceBases
{
    interface IRepo<T, K> { T Find(K k); }
    class Order { public string Id = ""; }
    class Repo : IRepo<Order, int> { public Order Find(int k) => new(); }
    class Base<T> { public T Item => default!; }
    class Derived : Base<Order> { }
    class C
    {
        static T Load<T, K>(IRepo<T, K> r, K k) => r.Find(k);
        static T Item<T>(Base<T> b) => b.Item;
        void Use(Repo r, Derived d, string s) { Load(r, 1).Id.Trim(); Item(d).Id.Trim(); s.Select(c => char.IsDigit(c)).First(); Enumerable.Range(0, 3).Select(i => new Order()).First().Id.Trim(); }
    }
}

namespace Inference.ContravariantComparer
{
    class A { public int X; }
    class B : A { }
    class Cmp : IComparer<A>, IEqualityComparer<A> { public int Compare(A? a, A? b) => 0; public bool Equals(A? a, A? b) => true; public int GetHashCode(A a) => 0; }
    class C { static T Max<T>(IEnumerable<T> s, IComparer<T> c) => s.First(); void Use(List<B> l) { Max(l, new Cmp()).X++; l.OrderBy(x => x, new Cmp()).First().X++; l.Distinct(new Cmp()).First().X++; l.ToDictionary(x => x, new Cmp()); } }
}

namespace Inference.Constraints
{
    interface IShape { double Area { get; } }
    class Sq : IShape { public double Area => 1; public int Side; }
    class C
    {
        static T Bigger<T>(T a, T b) where T : IShape => a.Area > b.Area ? a : b;
        static TR Do<TR, TI>(TI i, Func<TI, TR> f) where TI : IShape where TR : new() => f(i);
        static T New<T>() where T : new() => new T();
        void Use(Sq s) { Bigger(s, s).Side++; Do(s, x => new List<Sq> { x })[0].Side++; New<Sq>().Side++; }
    }
}

namespace Inference.Partial
{
    class C
    {
        static A Conv<A>(object o) => (A)o;
        static Func<A, B> Fn<A, B>(Func<A, B> f) => f;
        static Func<A, D> Compose<A, B, D>(Func<A, B> f, Func<B, D> g) => x => g(f(x));
        void Use() { Conv<string>(1).Trim(); Fn((string s) => s.Length)("a").CompareTo(1); Compose((string s) => s.Length, n => n.ToString())("a").Trim(); Fn<int, string>(i => i.ToString())(1).Trim(); Compose<string, int, string>(s => s.Length, n => n.ToString())("q").Trim(); var f = Fn((int i) => new { i }); f(1).i.CompareTo(2); }
    }
}

namespace Inference.NaturalTypes
{
    class C { static T Id<T>(T t) => t; void M(Delegate d) { } void Use() { var f = (int x) => x.ToString(); f(1).Trim(); var g = () => "a"; g().Trim(); var act = () => { }; act(); Id((string s) => s.Length)("a").CompareTo(1); M(() => 1); var p = (ref int i) => i++; var q = object (bool b) => b ? 1 : "a"; q(true).ToString(); } }
}

namespace Inference.Builder
{
    class Builder<T> { public Builder<T> With<P>(System.Linq.Expressions.Expression<Func<T, P>> e, P value) => this; public Rule<T, P> For<P>(System.Linq.Expressions.Expression<Func<T, P>> e) => new(); public T Build() => default!; }
    class Rule<T, P> { public Rule<T, P> Must(Func<P, bool> f) => this; public Rule<T, P> Must(Func<T, P, bool> f) => this; public Rule<T, P> Tell(Func<T, string> f) => this; }
    static class Ext { public static Rule<T, string> Len<T>(this Rule<T, string> r, int n) => r; public static Rule<T, P> Gt<T, P>(this Rule<T, P> r, P n) where P : IComparable<P> => r; public static Rule<T, P?> Gt<T, P>(this Rule<T, P?> r, P n) where P : struct, IComparable<P> => r; }
    class Person { public string Name { get; set; } = ""; public int Age { get; set; } public int? Size { get; set; } }
    class C { void Use(Builder<Person> b) { b.With(p => p.Name, "a").With(p => p.Age, 1).Build().Name.Trim(); b.For(p => p.Name).Len(1).Must(n => n.Length > 1).Must((p, n) => p.Age > n.Length).Tell(p => p.Name); b.For(p => p.Age).Gt(1).Must(a => a > 1); b.For(p => p.Size).Gt(1).Must(a => a.HasValue); } }
}

namespace Inference.Visitor
{
    abstract class Result<T, E> { public abstract R Match<R>(Func<T, R> ok, Func<E, R> err); public Result<U, E> Bind<U>(Func<T, Result<U, E>> f) => Match(f, e => Result.Err<U, E>(e)); }
    static class Result { public static Result<T, E> Ok<T, E>(T t) => default!; public static Result<T, E> Err<T, E>(E e) => default!; }
    static class Linq { public static Result<U, E> Select<T, U, E>(this Result<T, E> r, Func<T, U> f) => r.Bind(x => Result.Ok<U, E>(f(x))); public static Result<V, E> SelectMany<T, U, V, E>(this Result<T, E> r, Func<T, Result<U, E>> f, Func<T, U, V> g) => r.Bind(t => f(t).Select(u => g(t, u))); }
    class C { void Use(Result<string, Exception> r, Result<int, Exception> s) { r.Match(x => x.Length, e => e.Message.Length).CompareTo(1); (from a in r from b in s select a.Length + b).Match(n => n.ToString(), e => e.Message).Trim(); } }
}

namespace Inference.ParamsAndDefaults // C# 13
{
    class C { static List<T> L<T>(params T[] t) => new(); static List<T> L2<T>(T a, params IEnumerable<T> t) => new(); static T D<T>(T a, T b = default!) => a; static T O<T>(IEqualityComparer<T>? c = null, params T[] t) => t[0]; void Use(object o) { L("a", "b")[0].Trim(); L(1, 2L)[0].CompareTo(1L); L2("a", "b")[0].Trim(); D("a").Trim(); O(t: "a").Trim(); L(o, "a")[0].ToString(); L("a", null)[0]!.Trim(); O(null, 1, 2).CompareTo(3); } }
}

namespace Inference.Dependent
{
    class C { static R F<T, R>(T t, Func<T, Func<T, R>> f) => f(t)(t); static void G<A, B, D>(A a, Func<A, B> f, Func<A, B, D> g, Action<D> h) { } static T Lazy<T>(Func<Func<T>> f) => f()(); void Use() { G("a", s => s.Length, (s, n) => s + n, d => d.Trim()); } }
}

namespace Inference.SwitchAndConditional
{
    class A { public void MA() { } }
    class B : A { }
    class D : A { }
    class C { static T Id<T>(T t) => t; void Use(int i, B b, D d, A a, string? s) { Id(i switch { 1 => a, _ => b }).MA(); Id(i > 1 ? b : a).MA(); Id(s ?? "a").Trim(); Id(i == 1 ? 1 : 2.0).CompareTo(1.0); var x = new[] { a, b, d }; x[0].MA(); var y = new[] { 1, 2L }; y[0].CompareTo(1L); var z = i switch { 0 => 1, 1 => 2L, _ => (short)3 }; z.CompareTo(1L); (i > 0 ? s : null)?.Trim(); } }
}

namespace Inference.StaticGenericClass
{
    class Cache<K, V> where K : notnull { public static Cache<K, V> Instance = new(); public V this[K k] => default!; public V GetOrAdd(K k, Func<K, V> f) => f(k); public static Cache<K, V> operator +(Cache<K, V> a, (K, V) p) => a; }
    class C { void Use() { Cache<string, int>.Instance["a"].CompareTo(1); Cache<int, string>.Instance.GetOrAdd(1, k => k.ToString()).Trim(); (Cache<int, string>.Instance + (1, "a"))[1].Trim(); new System.Collections.Concurrent.ConcurrentDictionary<string, List<int>>().GetOrAdd("a", _ => new List<int>()).Add(1); new System.Collections.Concurrent.ConcurrentDictionary<string, int>().AddOrUpdate("a", 1, (k, v) => v + k.Length); } }
}
