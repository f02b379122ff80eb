// Overload resolution, ECMA-334 §12.6.4: one program a namespace.

namespace Overloads.ExactBeatsWidening
{
    class C
    {
        void M(int x) { }
        void M(long x) { }
        void M(double x) { }
        void Use(byte b, short s, uint u, float f, char c, ulong ul)
        {
            M(1); M(1L); M(1.0); M(b); M(s); M(u); M(f); M(c); M(ul); M(1u); M(-1); M('x'); M(1f);
        }
    }
}

namespace Overloads.ConstantNarrowing
{
    class C
    {
        void M(byte x) { }
        void M(object x) { }
        void N(sbyte x) { }
        void N(ulong x) { }
        void O(short x) { }
        void O(uint x) { }
        const int Small = 5, Large = 300;
        void Use(int i)
        {
            M(1); M(300); M(Small); M(Large); M(i); N(1); N(200); O(1); O(70000); M(1 + 1); M(255); M(-1);
        }
    }
}

namespace Overloads.SignedBeatsUnsigned
{
    class C
    {
        void M(int x) { }
        void M(uint x) { }
        void N(long x) { }
        void N(ulong x) { }
        void O(sbyte x) { }
        void O(byte x) { }
        void P(short x) { }
        void P(ushort x) { }
        void Use(byte b, ushort us, char c) { M(b); M(us); M(c); N(b); N(us); N(1); N(1u); O(1); P(1); P(b); }
    }
}

namespace Overloads.NullPicksMostSpecific
{
    class A { }
    class B : A { }
    class C
    {
        void M(object x) { }
        void M(A x) { }
        void M(B x) { }
        void N(object x) { }
        void N(string x) { }
        void N(int x) { }
        void O(int? x) { }
        void O(int x) { }
        void Q(object o) { }
        void Q(params object[] o) { }
        void Use() { M(null!); N(null!); O(null); M(default(A)!); Q(null!); Q(null!, null!); O(default); }
    }
}

namespace Overloads.NullableLifting // C# 9
{
    class C
    {
        void M(int x) { }
        void M(int? x) { }
        void M(long? x) { }
        void N(long? x) { }
        void N(object x) { }
        void P(double? x) { }
        void P(decimal? x) { }
        void Use(int i, int? n, long? l, byte? b) { M(i); M(n); M(l); M(b); N(i); N(n!); P(i == 0 ? 1.0 : null); M(null); N(b!); }
    }
}

namespace Overloads.ClassHierarchy
{
    interface I { }
    class A : I { }
    class B : A { }
    class D : B { }
    class C
    {
        void M(I x) { }
        void M(A x) { }
        void N(object x) { }
        void N(I x) { }
        void P(A x) { }
        void P(B x) { }
        void Use(A a, B b, D d, I i) { M(a); M(b); M(d); M(i); N(a); N(d); N(i); N("s"); P(d); P(a); P((A)d); }
    }
}

namespace Overloads.TwoArguments
{
    class C
    {
        void M(int x, object y) { }
        void M(long x, object y) { }
        void M(object x, string y) { }
        void N(double x, int y) { }
        void N(int x, int y) { }
        void P(object x, int y) { }
        void P(string x, long y) { }
        void Use(byte b) { M(1, 2); M(1L, 2); M("a", "b"); M(b, b); N(1, 1); N(1.0, 1); N(b, b); P("a", 1L); P(b, 1); P("a", 5L); }
    }
}

namespace Overloads.NamedArguments
{
    class C
    {
        void M(int first, string second) { }
        void M(string second, int first, int third = 0) { }
        void N(int a, long b) { }
        void N(long b, int a, bool c) { }
        void P(object x, int y = 1) { }
        void P(int y, object x) { }
        void Use() { M(first: 1, second: "a"); M(second: "a", first: 1); M(1, second: "a"); N(b: 1, a: 2); N(b: 1, a: 2, c: true); M("a", 1); M("a", first: 1, third: 2); }
    }
}

namespace Overloads.OptionalParameters
{
    class C
    {
        void M(int x) { }
        void M(int x, int y = 0) { }
        void M(int x, int y = 0, int z = 0) { }
        void N(string s = "") { }
        void N(params string[] s) { }
        void P(object o) { }
        void P(string s, int i = 0) { }
        void Q(int i = 0, string s = "") { }
        void Q(string s, int i = 0) { }
        void Use() { M(1); M(1, 2); M(1, 2, 3); M(1, z: 3); N(); N("a"); N("a", "b"); P("s"); P(1); Q(1); }
    }
}

namespace Overloads.ParamsArray
{
    class C
    {
        void M(params int[] x) { }
        void M(int x) { }
        void M(int x, params int[] y) { }
        void N(params object[] x) { }
        void N(string s, params object[] x) { }
        void P(object x) { }
        void P(params object[] x) { }
        void Q(params string[] x) { }
        void Q(params object[] x) { }
        void Use(int[] a, object[] o, string[] s)
        {
            M(); M(1); M(1, 2); M(a); M(1, a); N(); N(1); N("a"); N("a", 1); N(o); N("a", o); P(1); P(1, 2); P(o); P(s); Q("a"); Q("a", "b"); Q("a", 1); Q(s); Q(o); Q(1);
        }
    }
}

namespace Overloads.ParamsCollections // C# 13
{
    class C
    {
        void M(params ReadOnlySpan<int> x) { }
        void M(params int[] x) { }
        void N(params IEnumerable<string> x) { }
        void N(params List<object> x) { }
        void P(params Span<byte> x) { }
        void P(params IEnumerable<int> x) { }
        void Q(params ReadOnlySpan<object> x) { }
        void Q(params ReadOnlySpan<string> x) { }
        void Use(int[] a, List<string> l) { M(1, 2); M(a); M(); M(1); N("a"); N(1); N("a", 2); N(l); P((byte)1); P(300); Q("a"); Q("a", 1); Q(1, 2); }
    }
}

namespace Overloads.ParamsGeneric
{
    class C
    {
        void M<T>(params T[] x) { }
        void M<T>(T x) { }
        void M(params string[] x) { }
        void N<T>(IEnumerable<T> x) { }
        void N<T>(params T[] x) { }
        void Use(int[] a, string[] s) { M(1); M(1, 2); M("a"); M("a", "b"); M(a); M(s); N(a); N(1); N(1, 2); N("s"); N(a, a); }
    }
}

namespace Overloads.RefKinds
{
    class C
    {
        void M(int x) { }
        void M(ref int x) { }
        void N(int x) { }
        void N(out int x) { x = 0; }
        void P(in int x) { }
        void P(int x) { }
        void Q(in int x) { }
        void Q(long x) { }
        void R(ref readonly int x) { }
        void S(out int x) { x = 0; }
        void S(out string x) { x = ""; }
        void T(ref object x) { }
        void T(ref string x) { }
        void Use(int i, object o, string s)
        {
            M(i); M(ref i); N(i); N(out i); N(out var v); N(out _); P(in i); P(i); P(1); Q(1); Q(in i); Q(1L); R(ref i); R(in i); S(out i); S(out s); S(out int k); S(out string l); T(ref o); T(ref s);
        }
    }
}

namespace Overloads.GenericVersusNonGeneric
{
    class C
    {
        void M(int x) { }
        void M<T>(T x) { }
        void N(object x) { }
        void N<T>(T x) { }
        void P<T>(T x, int y) { }
        void P(string x, int y) { }
        void Q<T>(List<T> x) { }
        void Q<T>(T x) { }
        void Q<T>(IEnumerable<T> x) { }
        void Use(List<int> l, int[] a) { M(1); M(1L); M("a"); M<int>(1); N(1); N("a"); N(new object()); N<object>(1); P("a", 1); P(1, 1); Q(l); Q(a); Q(1); Q("a"); Q<int>(l); }
    }
}

namespace Overloads.MoreSpecificGeneric
{
    class C
    {
        void M<T>(T a, T b) { }
        void M<T, U>(T a, U b) { }
        void N<T>(Dictionary<string, T> x) { }
        void N<K, T>(Dictionary<K, T> x) where K : notnull { }
        void P<T>(T[] x) { }
        void P<T>(T x) { }
        void Q<T>(Func<T> f) { }
        void Q<T>(Func<Task<T>> f) { }
        void R<T>(T? x) where T : struct { }
        void R<T>(T x) { }
        void S<T>(IEnumerable<IEnumerable<T>> x) { }
        void S<T>(IEnumerable<T> x) { }
        void Use(Dictionary<string, int> d, Dictionary<int, int> e, int? n, List<List<int>> ll)
        {
            M(1, "a"); N(d); N(e); P(new int[0]); P(1); Q(() => 1); Q(() => Task.FromResult(1)); R(n); R(1); S(ll); S(new[] { 1 });
        }
    }
}

namespace Overloads.MostDerivedWins
{
    class A { public void M(int x) { } public virtual void V(int x) { } public void H(string s) { } }
    class B : A { public void M(long x) { } public override void V(int x) { } public void V(long x) { } public new void H(string s) { } }
    class D : B { public void M(string s) { } public void V(object o) { } }
    class C { void Use(A a, B b, D d) { a.M(1); b.M(1); d.M(1); d.M("a"); b.V(1); d.V(1); d.V("s"); b.V(1L); a.H(""); b.H(""); d.H(""); } }
}

namespace Overloads.OverridesDoNotCount
{
    class A { public virtual void M(object o) { } public virtual void N(int i) { } }
    class B : A { public override void M(object o) { } public void M(string s) { } public override void N(int i) { } public void N(double d) { } }
    class D : B { public override void N(int i) { } public override string ToString() => base.ToString()!; }
    class C { void Use(B b, D d) { b.M("a"); b.M(1); b.N(1); d.N(1); d.N(1.0); d.ToString(); b.ToString(); d.Equals(b); d.GetHashCode(); } }
}

namespace Overloads.Priority
{
    using System.Runtime.CompilerServices;
    class C
    {
        [OverloadResolutionPriority(1)] public void M(ReadOnlySpan<int> x) { }
        public void M(int[] x) { }
        [OverloadResolutionPriority(-1)] public void N(string x) { }
        public void N(object x) { }
        [OverloadResolutionPriority(2)] public void P(object x, int y = 0) { }
        public void P(string x) { }
        void Use(int[] a) { M(a); N("a"); P("a"); }
    }
}

namespace Overloads.LambdaReturnType
{
    class C
    {
        void M(Func<int> f) { }
        void M(Func<long> f) { }
        void M(Func<object> f) { }
        void N(Action a) { }
        void N(Func<int> f) { }
        void P(Func<string, int> f) { }
        void P(Func<int, int> f) { }
        void Q(Func<Task> f) { }
        void Q(Action f) { }
        void R(Func<Task<int>> f) { }
        void R(Func<Task> f) { }
        void S(Func<double> f) { }
        void S(Func<float> f) { }
        int I() => 0;
        void V() { }
        void Use()
        {
            M(() => 1); M(() => 1L); M(() => "a"); N(() => { }); N(() => 1); N(() => { return 1; }); N(() => I()); N(() => V()); P(x => x.Length); P((int x) => x);
            Q(async () => { }); Q(() => { }); Q(async () => await Task.Delay(1)); R(async () => 1); R(async () => { await Task.Yield(); }); R(async () => { await Task.Yield(); return 1; }); S(() => 1f); S(() => 1.0); Q(() => throw new Exception());
        }
    }
}

namespace Overloads.LambdaParameterCount
{
    class C
    {
        void M(Func<int, int> f) { }
        void M(Func<int, int, int> f) { }
        void M(Action<string> f) { }
        void N<T>(IEnumerable<T> s, Func<T, bool> f) { }
        void N<T>(IEnumerable<T> s, Func<T, int, bool> f) { }
        void Use(int[] a) { M(x => x); M((x, y) => x + y); M((string s) => { }); M(s => { s.Trim(); }); N(a, x => x > 0); N(a, (x, i) => x > i); a.Where(x => x > 0).Select((x, i) => x + i).Count(); M(delegate (string s) { }); }
    }
}

namespace Overloads.MethodGroupArguments
{
    class C
    {
        void M(Action a) { }
        void M(Action<int> a) { }
        void M(Func<string> a) { }
        static void V() { }
        static void W(int i) { }
        static string S() => "";
        static int Parse(string s) => 0;
        static int Parse(string s, int b) => b;
        void N<T>(Func<string, T> f) { }
        void P(Func<int> f) { }
        void P(Func<string> f) { }
        void Use(string[] a) { M(V); M(W); M(S); N(Parse); N<int>(Parse); P(S); a.Select(int.Parse).ToArray(); Array.ConvertAll(a, Parse); a.ToList().ForEach(Console.WriteLine); }
    }
}

namespace Overloads.Expressions
{
    using System.Linq.Expressions;
    class C
    {
        void M(Expression<Func<int, bool>> e) { }
        void M(Func<string, bool> f) { }
        void N(Expression<Func<string, object>> e) { }
        void Use(IQueryable<string> q, IEnumerable<string> e)
        {
            M(x => x > 1); M(s => s.Length > 1); N(s => s.Length); q.Where(s => s.Length > 1).Select(s => s.Trim()).OrderBy(s => s.Length).First(); e.Where(s => s.Length > 1).First();
        }
    }
}

namespace Overloads.Interpolated // C# 10
{
    class C
    {
        void M(string s) { }
        void M(FormattableString s) { }
        void N(FormattableString s) { }
        void N(object s) { }
        void P(IFormattable s) { }
        void P(object o) { }
        void Use(int i, System.Text.StringBuilder b) { M($"a{i}"); M("a"); N($"a{i}"); P($"a"); P("a"); b.Append($"x{i}"); b.Append("x"); string.Create(null, $"{i}"); FormattableString.Invariant($"{i}"); b.AppendLine($"{i}"); }
    }
}

namespace Overloads.Constructors
{
    class A
    {
        public A() { }
        public A(int x) : this() { }
        public A(string s, int y = 0) : this(y) { }
        public A(params object[] o) { }
        protected A(long l) { }
    }
    class B : A
    {
        public B() { }
        public B(int x) : base(x) { }
        public B(string s) : base(s) { }
        public B(long l) : base(l) { }
        public B(object o, object p) : base(o, p) { }
    }
    class C { void Use() { new A(); new A(1); new A("a"); new A("a", 2); new A(1, 2); new B(); new B(1); new B("x"); new B(1, 2); A a = new(3); A b = new("q"); } }
}

namespace Overloads.Accessibility
{
    class A
    {
        private void M(int x) { }
        public void M(long x) { }
        protected void N(string s) { }
        internal void N(object o) { }
        private void P(int i) { }
        public void P(object o) { }
        class Inner { void U(A a) { a.M(1); a.N("a"); a.P(1); } }
    }
    class B : A { void U(B b, A a) { M(1); N("a"); b.N("a"); a.N("a"); P(1); } }
    class C { void Use(A a, B b) { a.M(1); a.N("a"); b.N("a"); b.P(1); } }
}

namespace Overloads.StaticAndInstance
{
    class C
    {
        static void M(int i) { }
        void M(string s) { }
        static void N(object o) { }
        void N(string s, int i = 0) { }
        static void Use(C c) { M(1); c.M("a"); C.M(2); N(1); c.N("b"); C.N(3); }
        void Use2() { M(1); M("a"); N(1); N("a"); this.N("a"); }
    }
}

namespace Overloads.UserConversions
{
    class A { public static implicit operator B(A a) => new(); public static implicit operator int(A a) => 0; public static implicit operator A(string s) => new(); }
    class B { public static implicit operator string(B b) => ""; }
    class C
    {
        void M(B b) { }
        void N(int i) { }
        void N(string s) { }
        void P(A a) { }
        void P(object o) { }
        void Q(long l) { }
        void Q(B b, int i = 0) { }
        void R(A a) { }
        void R(int i) { }
        void Use(A a, B b) { M(a); N(a); N(b); P(a); P("s"); Q(1); R("s"); R(1); R(a); }
    }
}

namespace Overloads.InterfaceMembers
{
    interface I { void M(int x); void N(object o); }
    interface J : I { void M(long x); new void N(object o); }
    interface K { void M(string s); }
    interface L : J, K { }
    class C { void Use(I i, J j, L l) { i.M(1); j.M(1); j.M(1L); i.N(1); j.N(1); l.M("a"); l.M(2L); l.N(3); l.ToString(); j.Equals(i); } }
}

namespace Overloads.DiamondInterfaces
{
    interface A { void M(); int P { get; } }
    interface B : A { new void M(); }
    interface D : A { }
    interface E : B, D { }
    class C { void Use(E e, D d, B b) { e.M(); d.M(); b.M(); _ = e.P; _ = d.P; } }
}

namespace Overloads.TypeParameters
{
    interface I { void M(object o); }
    class A { public void M(string s) { } public void Q() { } }
    class C<T, U, V> where T : A where U : I where V : A, I
    {
        void Use(T t, U u, V v) { t.M("a"); u.M("a"); v.M("a"); t.Q(); v.Q(); t.ToString(); u.GetHashCode(); v.Equals(t); }
    }
}

namespace Overloads.ConditionalArguments // C# 9
{
    class A { }
    class B : A { }
    class C
    {
        void M(long x) { }
        void M(object o) { }
        void N(A a) { }
        void N(B b) { }
        void P(int? x) { }
        void P(string x) { }
        void Q(byte b) { }
        void Q(int i) { }
        void Use(bool f, A a, B b, int i, object o) { M(f ? 1 : 2L); N(f ? a : b); N(f ? b : null!); P(f ? 1 : null); M(f ? o : i); N(b ?? a); N(b ?? new B()); Q(f ? 1 : 2); Q(i switch { 1 => 1, _ => 2 }); N(i switch { 1 => a, _ => b }); }
    }
}

namespace Overloads.DefaultLiteralAndNew
{
    class A { }
    class C
    {
        void M(int i, A a) { }
        void M(string s, A a) { }
        void N(CancellationToken t = default) { }
        void N(int i, CancellationToken t = default) { }
        void P(A a) { }
        void P(int i) { }
        void Use(CancellationToken t) { M(1, new()); M("a", new()); M(1, default!); N(); N(default); N(t); N(1); N(1, t); N(1, default); P(new A()); }
    }
}

namespace Overloads.CollectionExpressions
{
    class C
    {
        void M(int[] x) { }
        void M(IEnumerable<int> x) { }
        void N(List<string> x) { }
        void N(List<int> x) { }
        void P(ReadOnlySpan<int> x) { }
        void P(int[] x) { }
        void Q(Span<string> x) { }
        void Q(ReadOnlySpan<string> x) { }
        void R(IReadOnlyList<int> x) { }
        void R(HashSet<string> x) { }
        void S<T>(List<T> x) { }
        void S<T>(T[] x, int i = 0) { }
        void T<U>(IEnumerable<U> x) { }
        void Use(int[] a) { M([1, 2]); M(a); N(["a"]); N([1]); P([1, 2]); Q(["a"]); R([1]); R(["a"]); T([1, 2]); M([.. a, 1]); T(["a", .. new[] { "b" }]); }
    }
}

namespace Overloads.Spans
{
    class C
    {
        void M(ReadOnlySpan<char> s) { }
        void M(string s) { }
        void N(ReadOnlySpan<char> s) { }
        void N(object o) { }
        void P(Span<int> s) { }
        void P(ReadOnlySpan<int> s) { }
        void Q(IEnumerable<int> s) { }
        void Q(ReadOnlySpan<int> s) { }
        void Use(string s, int[] a, Span<int> sp, Memory<int> m) { M(s); M(s.AsSpan()); N(s); N("a"); P(a); P(sp); Q(a); P(m.Span); M("x"u8.Length > 0 ? s : s); }
    }
}

namespace Overloads.ExtensionVersusInstance
{
    class A { public void M(long x) { } public void N(string s) { } public void P() { } }
    static class X
    {
        public static void M(this A a, int x) { }
        public static void N(this A a, int x) { }
        public static void P(this A a) { }
        public static void Q(this A a) { }
        public static void Q(this object a) { }
    }
    class C { void Use(A a) { a.M(1); a.N(1); a.N("a"); a.P(); a.Q(); X.P(a); "s".Q(); a?.Q(); } }
}

namespace Overloads.Tuples
{
    class C
    {
        void M((int, int) t) { }
        void M((long, long) t) { }
        void M(object o) { }
        void N((string a, int b) t) { }
        void N(ITuple t) { }
        void P<T, U>((T, U) t) { }
        void P<T>(T t) { }
        interface ITuple { }
        void Use(byte b, (int, int) t) { M((1, 2)); M((1L, 2)); M((b, b)); M(t); M((1, "a")); N(("a", 1)); P((1, "a")); P(1); M((1, 2, 3)); }
    }
}

namespace Overloads.EnumsAndZero
{
    enum E { A, B }
    class C
    {
        void M(E e) { }
        void M(object o) { }
        void N(E e) { }
        void N(long l) { }
        void P(int i) { }
        void P(E e) { }
        void Use(E e) { M(0); M(1); M(e); N(1); P(0); P(E.A); M(E.B); }
    }
}

namespace Overloads.Dynamic
{
    class C
    {
        void M(int i) { }
        void N(object o) { }
        static dynamic D() => 1;
        void Use(dynamic d, object o) { M(1); N(o); var l = new List<dynamic>(); l.Add(1); }
    }
}

namespace Overloads.DelegatesInvoke
{
    delegate int Op(int a, int b);
    delegate T Gen<T>(T t);
    class C
    {
        Op op = (a, b) => a + b;
        event Action<string>? E;
        Func<int, Func<int, int>> curry = x => y => x + y;
        Op Get() => op;
        void Use(Gen<string> g) { op(1, 2); op.Invoke(1, 2); op?.Invoke(1, 2); E?.Invoke("a"); curry(1)(2); Get()(1, 2); g("a").Trim(); this.op(3, 4); E!("x"); var d = op; d(1, 2); }
    }
}

namespace Overloads.ParamsWithDefaultsAndNames
{
    class C
    {
        void M(string f, int a = 1, params object[] rest) { }
        void M(string f, object a) { }
        void N(int x, params int[] y) { }
        void N(int x, int y, int z = 3) { }
        void P(int a = 0, int b = 0, params string[] c) { }
        void Use() { M("a"); M("a", 1); M("a", 1, 2); M("a", "b"); N(1); N(1, 2); N(1, 2, 3); N(1, 2, 3, 4); P(); P(1, 2, "a"); P(b: 1); P(1, c: new[] { "a" }); N(y: new[] { 1 }, x: 2); }
    }
}

namespace Overloads.BaseAccess
{
    class A { public virtual void M(object o) { } public virtual void M(int i) { } protected int P { get; set; } public virtual int this[int i] => i; }
    class B : A
    {
        public override void M(object o) { base.M(o); base.M(1); M(1); }
        public void M(string s) { base.M(s); this.M(s); base.P = base.P + 1; }
        public override int this[int i] => base[i] + this[i];
        int Q => base.GetHashCode() + base[2];
    }
}

namespace Overloads.RefStructAndIn
{
    readonly struct V
    {
        public static V operator +(in V a, in V b) => a;
        public void M(in V v) { }
        public void M(V v, int i = 0) { }
        public static bool TryParse(ReadOnlySpan<char> s, out V v) { v = default; return true; }
        public static bool TryParse(string? s, out V v) { v = default; return true; }
        static void Use(V v, string s) { v.M(v); v.M(in v); V.TryParse(s, out v); V.TryParse(s.AsSpan(), out _); _ = v + v; TryParse(null, out var w); int.TryParse(s, out var i); DateTime.TryParse(s, out DateTime d); }
    }
}

namespace Overloads.GenericDelegates
{
    class C
    {
        void M<T>(Func<T> f) { }
        void M(Action a) { }
        void N<T>(Func<T, T> f, T t) { }
        void N(Func<object, object> f, object t) { }
        Task R(Func<Task> f) => f();
        Task<T> R<T>(Func<Task<T>> f) => f();
        void R(Action a) { }
        T R<T>(Func<T> f) => f();
        void Use() { M(() => 1); M(() => { }); M(() => throw new Exception()); N(x => x, 1); N(x => x, "a"); R(async () => { await Task.Delay(1); }); R(async () => { await Task.Delay(1); return 1; }); R(() => { }); R(() => 1); R(() => Task.FromResult("a")).ContinueWith(t => t.Result.Length); Task.Run(() => 1); Task.Run(() => { }); Task.Run(async () => { await Task.Yield(); }); Task.Run(async () => 1); }
    }
}

namespace Overloads.ConstraintsDecide
{
    class C
    {
        void M<T>(T t) where T : struct { }
        void M(object o) { }
        void N<T>(T t) where T : IComparable<T> { }
        void N(object o, int i = 0) { }
        void P<T>(T t) where T : class { }
        void P<T>(T? t, int i = 0) where T : struct { }
        void Q<T>(T t) where T : new() { }
        void Q(object o) { }
        class NoDefault(int i) { }
        void Use(int? n) { M(1); M("a"); N(1); N(new object()); P("a"); P(n); Q(new List<int>()); Q(new NoDefault(1)); Q(1); }
    }
}
