// Extension members, ECMA-334 §12.8.10.3 and C# 14 blocks: one program a namespace.

namespace Extensions.NearestNamespaceWins
{
    class A { }
    static class Outer { public static void M(this A a, int i) { } public static void N(this A a, object o) { } public static void P(this A a) { } }
    namespace Inner
    {
        static class Near { public static void M(this A a, long i) { } public static void N(this A a, string o) { } }
        class C { void Use(A a) { a.M(1); a.N("s"); a.N(1); a.P(); } }
    }
}

namespace Extensions.Lib1 { static class X { public static void Only1(this string s) { } public static void Both(this string s, int i) { } } }
namespace Extensions.Lib2 { static class X { public static void Only2(this string s) { } public static void Both(this string s, string t) { } } }
namespace Extensions.ImportedTogether
{
    using Extensions.Lib1;
    using Extensions.Lib2;
    class C { void Use(string s) { s.Only1(); s.Only2(); s.Both(1); s.Both("a"); } }
}
namespace Extensions.StaticImport
{
    using static Extensions.Lib1.X;
    class C { void Use(string s) { s.Only1(); s.Both(1); } }
}
namespace Extensions.StaticForm
{
    class C { void Use(string s) { Lib1.X.Only1(s); Extensions.Lib2.X.Both(s, "a"); Action a = s.Len; a(); var f = X.Dbl; f("a").Trim(); } }
    static class X { public static void Len(this string s) { } public static string Dbl(this string s) => s + s; }
}

namespace Extensions.MostSpecificReceiver
{
    interface I { }
    class A : I { }
    class B : A { }
    static class X
    {
        public static void M(this I i) { }
        public static void M(this A a) { }
        public static void N(this object o) { }
        public static void N<T>(this T t) { }
        public static void P<T>(this IEnumerable<T> s) { }
        public static void P<T>(this List<T> s) { }
        public static void P<T>(this T[] s) { }
        public static void Q(this IEnumerable<int> s) { }
        public static void Q<T>(this IEnumerable<T> s) { }
        public static void R<T>(this T t) where T : I { }
        public static void R<T>(this IEnumerable<T> t) where T : I { }
    }
    class C { void Use(A a, B b, I i, List<int> l, int[] x, HashSet<string> h) { a.M(); b.M(); i.M(); a.N(); 1.N(); l.P(); x.P(); h.P(); l.Q(); h.Q(); b.R(); new[] { b }.R(); new List<A>().R(); } }
}

namespace Extensions.GenericReceiver
{
    interface IEntity<K> { K Id { get; } }
    class User : IEntity<int> { public int Id => 1; public string Name = ""; }
    static class X
    {
        public static T Touch<T, K>(this T t, K k) where T : IEntity<K> => t;
        public static T With<T>(this T t, Action<T> a) { a(t); return t; }
        public static R Pipe<T, R>(this T t, Func<T, R> f) => f(t);
        public static T? Maybe<T>(this IEnumerable<T> s, Func<T, bool> f) where T : class => s.FirstOrDefault(f);
        public static V GetOr<K, V>(this IReadOnlyDictionary<K, V> d, K k, V v) => v;
    }
    class C { void Use(User u, List<User> l, Dictionary<string, User> d) { u.Touch(1).Name.Trim(); u.With(x => x.Name = "a").Name.Trim(); u.Pipe(x => x.Name).Pipe(n => n.Length).CompareTo(1); l.Maybe(x => x.Id == 1)?.Name.Trim(); d.GetOr("a", u).Name.Trim(); } }
}

namespace Extensions.InstanceFirst
{
    class A { public void M(object o) { } public Action P = () => { }; public int Count => 0; public void G<T>(T t) { } }
    static class X { public static void M(this A a, string s) { } public static void P(this A a, int i) { } public static int Count(this A a) => 1; public static void G(this A a, int i) { } public static void M(this A a, int i, int j) { } }
    class C { void Use(A a) { a.M("s"); a.M(1, 2); a.P(); a.P(1); a.Count(); _ = a.Count; a.G(1); } }
}

namespace Extensions.Blocks
{
    class Money { public decimal Amount; }
    static class X
    {
        extension(Money m)
        {
            public decimal Half => m.Amount / 2;
            public Money Add(decimal d) => m;
            public Money Twice() => m.Add(m.Half);
        }
        extension(Money)
        {
            public static Money Zero => new();
            public static Money Of(decimal d) => new();
        }
        extension<T>(IEnumerable<T> s)
        {
            public bool Empty => !s.Any();
            public IEnumerable<T> Skip1() => s.Skip(1);
            public IEnumerable<U> Cast1<U>(Func<T, U> f) => s.Select(f);
        }
        extension(string s) { public string Twice() => s + s; public int Size { get => s.Length; } }
    }
    class C { void Use(Money m, List<string> l) { m.Add(1).Twice().Amount.CompareTo(1); _ = m.Half; _ = Money.Zero.Half; Money.Of(1).Add(2); _ = l.Empty; l.Skip1().First().Trim(); l.Cast1(x => x.Length).First().CompareTo(1); "a".Twice().Trim(); _ = "a".Size; X.Twice("b").Trim(); } }
}

namespace Extensions.BlockOperators
{
    class V { public int X; }
    static class E { extension(V) { public static V operator +(V a, V b) => a; public static V operator -(V a) => a; } }
    class C { void Use(V a, V b) { (a + b).X++; (-a).X++; } }
}

namespace Extensions.OnThisAndBase
{
    static class X { public static void Log(this object o) { } public static T Self<T>(this T t) => t; public static void OnlyC(this C c) { } }
    class B { public void InB() { } }
    class C : B { void Use() { this.Log(); this.Self().Use(); this.OnlyC(); this.Self().InB(); new C().Self().OnlyC(); (this as B).Self().InB(); } }
}

namespace Extensions.NullConditional
{
    class A { public A? Next; public int? N; public List<int>? L; }
    static class X { public static A Go(this A a) => a; public static int Num(this int i) => i; public static string Show(this int? i) => ""; }
    class C { void Use(A? a) { a?.Go().Next?.Go(); a?.N?.Num(); a?.N.Show(); a?.L?.Select(x => x.Num()).First().Num(); a!.Next!.Go(); (a?.Next)?.Go(); } }
}

namespace Extensions.EnumsAndStructs
{
    enum Color { Red, Green }
    struct P { public int X; }
    static class Ext { public static string Name(this Color c) => ""; public static void Move(this ref P p) { } public static int Len(this in P p) => p.X; public static bool Has<T>(this T e, T f) where T : Enum => true; public static int Val<T>(this T? t) where T : struct => 0; }
    class C { void Use(Color c, P p, P? q, Color? d) { c.Name().Trim(); Color.Red.Name(); p.Move(); p.Len(); c.Has(Color.Green); q.Val(); d?.Name(); d.Val(); c.HasFlag(Color.Red); } }
}

namespace Extensions.Awaitables
{
    static class X { public static System.Runtime.CompilerServices.TaskAwaiter<string> GetAwaiter(this int i) => default; public static IEnumerator<string> GetEnumerator(this int i) => default!; public static void Deconstruct(this string s, out int a, out char b) { a = 0; b = 'a'; } public static void Add(this Stack<int> s, int i) => s.Push(i); public static IAsyncEnumerator<int> GetAsyncEnumerator(this string s) => default!; }
    class C { async Task Use() { (await 1).Trim(); foreach (var s in 3) s.Trim();
        var (a, b) = "x"; a.CompareTo(1); b.CompareTo('a'); var st = new Stack<int> { 1, 2 }; await foreach (var i in "a") i.CompareTo(1); if ("q" is (1, 'b')) { } } }
}

namespace Extensions.Delegates
{
    static class X { public static void Run(this Action a) { } public static T Run<T>(this Func<T> f) => f(); public static Func<A, D> Then<A, B, D>(this Func<A, B> f, Func<B, D> g) => x => g(f(x)); public static void On(this Action<string> a, string s) => a(s); }
    class C { static int Len(string s) => s.Length; event Action<string>? E; void Use(Action a, Func<string> f, Func<string, int> g) { a.Run(); f.Run().Trim(); g.Then(n => n.ToString()).Then(s => s.Trim())("a").Trim(); ((Func<string, int>)Len).Then(i => i + 1)("a"); E?.On("x"); } }
}

namespace Extensions.SameNameDifferentClasses
{
    static class X1 { public static void M(this string s, int i) { } public static void K(this string s) { } }
    static class X2 { public static void M(this string s, string t) { } public static void M(this object s, double t) { } }
    class C { void Use() { "a".M(1); "a".M("b"); "a".M(1.0); 1.M(2); "a".K(); } }
}

namespace Extensions.Inherited
{
    class Base<T> { }
    class D : Base<string> { }
    class E<T> : Base<List<T>> { }
    static class X { public static T Item<T>(this Base<T> b) => default!; public static void OnD(this D d) { } public static T Elem<T>(this Base<List<T>> b) => default!; }
    class C { void Use(D d, E<int> e) { d.Item().Trim(); e.Item().Add(1); e.Elem().CompareTo(1); d.OnD(); } }
}

namespace Extensions.HiddenByNestedClass
{
    class C { static void Use() { "a".M(); 1.N(); } }
    static class Outer2 { public static void M(this string s) { } public static void N(this int i) => i.M2(); private static void M2(this int i) { } }
}

namespace Extensions.Tuples
{
    static class X { public static A First<A, B>(this (A, B) t) => t.Item1; public static string Show(this (int x, string y) t) => t.y; public static IEnumerable<(T item, int index)> Indexed<T>(this IEnumerable<T> s) => s.Select((x, i) => (x, i)); }
    class C { void Use(List<string> l) { (1, "a").First().CompareTo(1); (1, "a").Show().Trim(); foreach (var (item, index) in l.Indexed()) { item.Trim(); index.CompareTo(1); } l.Indexed().First().item.Trim(); l.Indexed().Select(t => t.index).Sum(); } }
}
