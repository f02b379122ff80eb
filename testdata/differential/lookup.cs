// Names: scopes, types, members, hiding (ECMA-334 §7.7, §7.8, §12.5, §12.8.4): one program a namespace.
using Alias = System.Collections.Generic.List<string>;
using IntPair = (int left, int right);
using static System.Math;
using TextAlias = System.Text;

namespace Lookup.Locals
{
    class C
    {
        int x; string y = "";
        void Use(string x) { x.Trim(); this.x++; { var y = 1; y.CompareTo(2); } y.Trim(); for (int i = 0; i < x.Length; i++) { i.CompareTo(1); } foreach (var z in x) z.CompareTo('a'); if (x is { Length: var n } && n > 1) n.CompareTo(1); if (!int.TryParse(x, out var k)) return; k.CompareTo(1); while (x.Length > 1 && int.TryParse(x, out var w)) w.CompareTo(1); }
    }
}

namespace Lookup.LambdaShadow
{
    class C { int a; string b = ""; void Use() { Func<string, int> f = a => a.Length; f("x"); this.a = f(b); Action<int> g = b => { b++; var c = b; c.ToString(); }; g(a); b.Trim(); new List<int>().ForEach(a => a.ToString()); a++; } }
}

namespace Lookup.NestedTypes
{
    class Outer
    {
        static int S; int I; class Inner { public static int S; public void M() { S++; Outer.S++; new Outer().I++; P(); } static void P() { } } static void P() { } void Use() { Inner.S++; new Inner().M(); P(); }
        class Deep { class Deeper { void M() { P(); S++; new Inner().M(); } } }
    }
}

namespace Lookup.Inheritance
{
    class A { protected int F; public virtual string P => ""; protected static void S() { } public class N { public int V; } public const int K = 1; }
    class B : A { public new string F = ""; public override string P => base.P.Trim(); void Use() { F.Trim(); base.F++; S(); A.S(); B.S(); new N().V++; new B.N().V++; _ = K + B.K + A.K; } }
    class D : B { void Use(D d) { d.F.Trim(); F.Trim(); d.P.Trim(); S(); } }
}

namespace Lookup.HidingByKind
{
    class A { public void M() { } public int P { get; set; } public string Q = ""; public int R() => 0; }
    class B : A { public new int M => 1; public new void P() { } public new int Q() => 1; public new class R { public static int Z; } }
    class C { void Use(A a, B b) { a.M(); _ = b.M; a.P++; b.P(); a.Q.Trim(); b.Q(); a.R(); B.R.Z++; } }
}

namespace Lookup.ColorColor
{
    enum Color { Red, Green }
    class Service { public static Service Default = new(); public void Run() { } public static void Stop() { } public Color Tint; public class Inner { public static int N; } }
    class C { Color Color { get; set; } Service Service = new(); void Use() { Color = Color.Red; if (Color == Color.Green) { } Service.Run(); Service.Stop(); Service.Default.Run(); Service.Tint = Color.Red; Service.Inner.N++; Color.ToString(); _ = nameof(Color.Red); switch (Color) { case Color.Red: break; } } void Local(Service Service, Color Color) { Service.Run(); Service.Stop(); _ = Color.Green; Color.CompareTo(Color.Red); } }
}

namespace Lookup.Aliases
{
    using Local = Lookup.Aliases.Deep.Thing;
    using Ns = Lookup.Aliases.Deep;
    using D = System.Collections.Generic.Dictionary<string, System.Collections.Generic.List<int>>;
    namespace Deep { class Thing { public static int N; public class Sub { } } }
    class C { void Use(Local l, D d) { Local.N++; Ns.Thing.N++; new Ns.Thing.Sub(); new Local(); d["a"].Add(1); new Alias().Add("a"); IntPair p = (1, 2); p.left.CompareTo(p.right); Alias a = []; a[0].Trim(); global::Lookup.Aliases.Deep.Thing.N++; Ns::Thing.N++; new TextAlias.StringBuilder().Append(1); typeof(D).ToString(); } }
}

namespace Lookup.UsingStatic
{
    using static Lookup.UsingStatic.Consts;
    using static Lookup.UsingStatic.Level;
    static class Consts { public const int Max = 1; public static int Make(int i) => i; public static string Make(string s) => s; public class Nested { public int V; } public static void Ext(this int i) { } }
    enum Level { Low, High }
    class C { void Use() { Make(1); Make("a").Trim(); new Nested().V++; var l = Low; if (l == High) { } Abs(-1).CompareTo(1); Max(1, 2).CompareTo(2); _ = PI + Sqrt(2); 1.Ext(); } int Max(int a, int b) => a; }
}

namespace Lookup.NamespacesAndTypes
{
    namespace Lookup2 { class T { public static void InLookup2() { } } namespace Inner { class T { public static void InInner() { } } class C { void Use() { T.InInner(); Lookup2.T.InLookup2(); NamespacesAndTypes.Lookup2.Inner.T.InInner(); } } } }
    class T { public static void InOuter() { } }
    class C { void Use() { T.InOuter(); Lookup2.T.InLookup2(); Lookup2.Inner.T.InInner(); } }
    namespace Lookup2.Other { class C { void Use() { T.InLookup2(); Inner.T.InInner(); } } }
}

namespace Lookup.GenericArity
{
    class Box { public void M0() { } }
    class Box<T> { public void M1() { } public class In { public T V = default!; } }
    class Box<T, U> { public void M2() { } public static Box<U, T> Flip() => new(); }
    class C { void M() { } void M<T>() { } void M<T, U>() { } void Use() { new Box().M0(); new Box<int>().M1(); new Box<int, string>().M2(); Box<int, string>.Flip().M2(); new Box<string>.In().V.Trim(); M(); M<int>(); M<int, string>(); Action a = M; Action b = M<int>; a(); b(); _ = typeof(Box<>); _ = typeof(Box<,>); } }
}

namespace Lookup.InvocableMembers
{
    class A { public Action Run = () => { }; public Func<string, int> Len { get; } = s => s.Length; public int Count; public static Func<int> Make = () => 1; }
    class B : A { void Run(int i) { } int Count(string s) => 1; void Use() { Run(1); Len("a").CompareTo(1); Count("a"); base.Count++; Make(); Nope.Call(); } static class Nope { public static void Call() { } } }
}

namespace Lookup.Interfaces
{
    interface IA { void M(); int P { get; } static int S => 1; }
    interface IB : IA { new void M(); void N() => M(); }
    class C : IB { void IA.M() { } public void M() { } int IA.P => 1; void Use(IB b, IA a) { b.M(); a.M(); ((IA)b).M(); _ = b.P; b.N(); ((IB)this).N(); ((IA)this).M(); M(); _ = IA.S; } }
}

namespace Lookup.TypeParameterMembers
{
    interface IHas { int Id { get; } void M(); }
    class Base { public string Name = ""; public virtual void V() { } }
    class C<T> where T : Base, IHas, new() { T t = new(); void Use<U>(U u, List<T> l) where U : T { t.Name.Trim(); _ = t.Id; t.M(); t.V(); u.Name.Trim(); u.M(); l[0].V();  l.First(x => x.Id == 1).Name.Trim(); t.ToString(); typeof(T).Name.Trim(); } }
}

namespace Lookup.PrimaryConstructors
{
    class Repo { public int Get() => 1; }
    class C(Repo repo, string name, int count = 1) : Base(name) { readonly Repo own = repo; public string Name { get; } = name.Trim(); public int Get() => repo.Get() + own.Get() + count; void M(string name) { name.Trim(); repo.Get(); } string F = name; class Inner { } }
    class Base(string s) { public string S => s.Trim(); }
    struct P(int x, int y) { public int Sum => x + y; public int X { get; } = x; }
    record R(string Name, Repo Repo) { public int Get() => Repo.Get() + Name.Length; public R Up() => this with { Name = Name.ToUpper() }; }
    record R2(string Name, int Extra) : R(Name, new Repo()) { public int Both => Extra + Repo.Get(); }
}

namespace Lookup.LocalFunctions
{
    class C { int Fact(string s) => 0; void Use(int n) { int Fact(int k) => k < 2 ? 1 : k * Fact(k - 1); Fact(n).CompareTo(1); this.Fact("a"); T Id<T>(T t) => t; Id("a").Trim(); void Inner() { n++; Deep(); void Deep() { Fact(n); } } Inner(); static int Sq(int i) => i * i; new[] { 1 }.Select(Sq).First().CompareTo(1); Func<int, int> f = Fact; f(1); IEnumerable<string> It() { yield return "a"; } foreach (var s in It()) s.Trim(); async Task<string> A() { await Task.Yield(); return "a"; } A().Result.Trim(); } }
}

namespace Lookup.ContextualKeywords
{
    class C { int value; int async = 1; string record = ""; int var1; void Use() { async++; record.Trim(); var from = 1; from.CompareTo(2); int when = 3; when++; var nameof1 = 2; nameof1++; string @class = ""; @class.Trim(); } int P { get => field; set { field = value; this.value = value; } } int this[int value] { get { return value; } } }
}

namespace Lookup.PatternVariables
{
    class C { void Use(object o, (int, string) t, int? q) { if (o is string s && s.Length > 1) s.Trim(); if (o is not List<int> l) return; l.Add(1); switch (o) { case string a when a.Length > 1: a.Trim(); break; case int i: i.CompareTo(1); break; case (string b, int c): b.Trim(); break; } var r = o switch { string z => z.Length, int[] { Length: > 1 } y => y[0], _ => 0 }; r.CompareTo(1); if (t is (var m, { Length: 2 } n)) { m.CompareTo(1); n.Trim(); } if (q is { } v) v.CompareTo(1); if (q is int w and > 3) w.CompareTo(1); } }
}

namespace Lookup.Static
{
    static class S { public static int N { get; set; } static S() { N = 1; } public static void Go() => N++; static readonly Func<int> F = () => N; }
    class C { static int X = S.N + Y; static int Y = 2; int z = X; const int K = 1 + L; const int L = 2; static void Use() { S.Go(); X = Y; C.X++; new C().z++; S.N += K; } }
}

namespace Lookup.EnumsConstants
{
    [Flags] enum F : long { None = 0, A = 1, B = A << 1, All = A | B, Same = F.B }
    class C { const F Def = F.A | F.B; void Use(F f) { f |= F.A; f = f & ~F.B; if (f.HasFlag(F.All)) { } _ = (F)3; Enum.Parse<F>("A").ToString(); Enum.GetValues<F>().First().HasFlag(F.A); _ = f == Def; switch (f) { case F.A: goto case F.B; case F.B: break; } } }
}

namespace Lookup.Partial
{
    partial class P { int a; partial void Hook(int i); public partial int Prop { get; } void One() { b++; Two(); Hook(1); _ = Prop; } }
    partial class P { int b; partial void Hook(int i) { a = i; } public partial int Prop => b; void Two() { a++; One(); N.V++; } partial class N { public static int V; } }
    partial class P { partial class N { int w = V; } }
}

namespace Lookup.Accessors
{
    class C { int f; public int P { get { return f; } set { f = value; } } public int Q { get; private set; } = 1; public int R { get => P; init => Q = value; } int this[string k] { get => k.Length; set => f = value; } event Action E { add { f++; E2 += value; } remove { E2 -= value; } } event Action? E2; void Use(C c) { P = P + 1; P++; P += Q; c.Q--; _ = this["a"]; c["b"] = 2; c["c"]++; E += () => { }; E2?.Invoke(); E2!(); (c.P, Q) = (1, 2); var d = new C { P = 1, R = 2, ["z"] = 3 }; ref int rr = ref f; rr = 2; M(ref f, out c.f, in f); } void M(ref int a, out int b, in int c) { b = a; } }
}
