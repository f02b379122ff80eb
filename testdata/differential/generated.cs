// Made by make_differential.py: pairs of overloads, shapes of inference, ways to hide a name, places of type arguments.

namespace Generated.Pair1
{
    class C
    {
        static void M(int x) { } static void M(long x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair2
{
    class C
    {
        static void M(int x) { } static void M(byte x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair3
{
    class C
    {
        static void M(int x) { } static void M(uint x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair4
{
    class C
    {
        static void M(int x) { } static void M(double x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair5
{
    class C
    {
        static void M(int x) { } static void M(decimal x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair6
{
    class C
    {
        static void M(int x) { } static void M(object x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair7
{
    class C
    {
        static void M(int x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair8
{
    class C
    {
        static void M(int x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair9
{
    class C
    {
        static void M(int x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair10
{
    class C
    {
        static void M(int x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair11
{
    class C
    {
        static void M(int x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair12
{
    class C
    {
        static void M(int x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair13
{
    class C
    {
        static void M(int x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair14
{
    class C
    {
        static void M(int x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair15
{
    class C
    {
        static void M(int x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair16
{
    class C
    {
        static void M(int x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair17
{
    class C
    {
        static void M(long x) { } static void M(byte x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair18
{
    class C
    {
        static void M(long x) { } static void M(uint x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair19
{
    class C
    {
        static void M(long x) { } static void M(double x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair20
{
    class C
    {
        static void M(long x) { } static void M(decimal x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair21
{
    class C
    {
        static void M(long x) { } static void M(object x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair22
{
    class C
    {
        static void M(long x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair23
{
    class C
    {
        static void M(long x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1L); }
            { M(1u); }
            { M(null); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
        }
    }
}

namespace Generated.Pair24
{
    class C
    {
        static void M(long x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair25
{
    class C
    {
        static void M(long x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair26
{
    class C
    {
        static void M(long x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair27
{
    class C
    {
        static void M(long x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair28
{
    class C
    {
        static void M(long x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair29
{
    class C
    {
        static void M(long x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair30
{
    class C
    {
        static void M(long x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair31
{
    class C
    {
        static void M(long x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair32
{
    class C
    {
        static void M(byte x) { } static void M(uint x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(default); }
            { M(b); }
        }
    }
}

namespace Generated.Pair33
{
    class C
    {
        static void M(byte x) { } static void M(double x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair34
{
    class C
    {
        static void M(byte x) { } static void M(decimal x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair35
{
    class C
    {
        static void M(byte x) { } static void M(object x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair36
{
    class C
    {
        static void M(byte x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M("s"); }
            { M(b); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair37
{
    class C
    {
        static void M(byte x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(null); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair38
{
    class C
    {
        static void M(byte x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair39
{
    class C
    {
        static void M(byte x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
        }
    }
}

namespace Generated.Pair40
{
    class C
    {
        static void M(byte x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
        }
    }
}

namespace Generated.Pair41
{
    class C
    {
        static void M(byte x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
        }
    }
}

namespace Generated.Pair42
{
    class C
    {
        static void M(byte x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair43
{
    class C
    {
        static void M(byte x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
        }
    }
}

namespace Generated.Pair44
{
    class C
    {
        static void M(byte x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair45
{
    class C
    {
        static void M(byte x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(null); }
            { M(b); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
        }
    }
}

namespace Generated.Pair46
{
    class C
    {
        static void M(uint x) { } static void M(double x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair47
{
    class C
    {
        static void M(uint x) { } static void M(decimal x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair48
{
    class C
    {
        static void M(uint x) { } static void M(object x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair49
{
    class C
    {
        static void M(uint x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M("s"); }
            { M(b); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair50
{
    class C
    {
        static void M(uint x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(default); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair51
{
    class C
    {
        static void M(uint x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair52
{
    class C
    {
        static void M(uint x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
        }
    }
}

namespace Generated.Pair53
{
    class C
    {
        static void M(uint x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
        }
    }
}

namespace Generated.Pair54
{
    class C
    {
        static void M(uint x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
        }
    }
}

namespace Generated.Pair55
{
    class C
    {
        static void M(uint x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair56
{
    class C
    {
        static void M(uint x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
        }
    }
}

namespace Generated.Pair57
{
    class C
    {
        static void M(uint x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair58
{
    class C
    {
        static void M(uint x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(1u); }
            { M(null); }
            { M(b); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
        }
    }
}

namespace Generated.Pair59
{
    class C
    {
        static void M(double x) { } static void M(decimal x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1.5); }
            { M(1m); }
        }
    }
}

namespace Generated.Pair60
{
    class C
    {
        static void M(double x) { } static void M(object x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair61
{
    class C
    {
        static void M(double x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair62
{
    class C
    {
        static void M(double x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1L); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
        }
    }
}

namespace Generated.Pair63
{
    class C
    {
        static void M(double x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair64
{
    class C
    {
        static void M(double x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair65
{
    class C
    {
        static void M(double x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair66
{
    class C
    {
        static void M(double x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair67
{
    class C
    {
        static void M(double x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair68
{
    class C
    {
        static void M(double x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair69
{
    class C
    {
        static void M(double x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair70
{
    class C
    {
        static void M(double x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair71
{
    class C
    {
        static void M(decimal x) { } static void M(object x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair72
{
    class C
    {
        static void M(decimal x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair73
{
    class C
    {
        static void M(decimal x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1L); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
        }
    }
}

namespace Generated.Pair74
{
    class C
    {
        static void M(decimal x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair75
{
    class C
    {
        static void M(decimal x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair76
{
    class C
    {
        static void M(decimal x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair77
{
    class C
    {
        static void M(decimal x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair78
{
    class C
    {
        static void M(decimal x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair79
{
    class C
    {
        static void M(decimal x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair80
{
    class C
    {
        static void M(decimal x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair81
{
    class C
    {
        static void M(decimal x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1m); }
            { M(null); }
            { M(b); }
            { M(i); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair82
{
    class C
    {
        static void M(object x) { } static void M(string x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair83
{
    class C
    {
        static void M(object x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair84
{
    class C
    {
        static void M(object x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair85
{
    class C
    {
        static void M(object x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair86
{
    class C
    {
        static void M(object x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair87
{
    class C
    {
        static void M(object x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair88
{
    class C
    {
        static void M(object x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair89
{
    class C
    {
        static void M(object x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair90
{
    class C
    {
        static void M(object x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair91
{
    class C
    {
        static void M(object x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M(l); }
            { M(o); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair92
{
    class C
    {
        static void M(string x) { } static void M(int? x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair93
{
    class C
    {
        static void M(string x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair94
{
    class C
    {
        static void M(string x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair95
{
    class C
    {
        static void M(string x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair96
{
    class C
    {
        static void M(string x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair97
{
    class C
    {
        static void M(string x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair98
{
    class C
    {
        static void M(string x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair99
{
    class C
    {
        static void M(string x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair100
{
    class C
    {
        static void M(string x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M("s"); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair101
{
    class C
    {
        static void M(int? x) { } static void M(IComparable x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M(null); }
            { M(default); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair102
{
    class C
    {
        static void M(int? x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair103
{
    class C
    {
        static void M(int? x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair104
{
    class C
    {
        static void M(int? x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair105
{
    class C
    {
        static void M(int? x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair106
{
    class C
    {
        static void M(int? x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair107
{
    class C
    {
        static void M(int? x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair108
{
    class C
    {
        static void M(int? x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M('c'); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(n ?? 1); }
        }
    }
}

namespace Generated.Pair109
{
    class C
    {
        static void M(IComparable x) { } static void M(IEnumerable<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair110
{
    class C
    {
        static void M(IComparable x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair111
{
    class C
    {
        static void M(IComparable x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair112
{
    class C
    {
        static void M(IComparable x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair113
{
    class C
    {
        static void M(IComparable x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair114
{
    class C
    {
        static void M(IComparable x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair115
{
    class C
    {
        static void M(IComparable x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(1); }
            { M(1L); }
            { M('c'); }
            { M(1u); }
            { M(1.5); }
            { M(1m); }
            { M("s"); }
            { M(b); }
            { M(i); }
            { M(n); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(i > 0 ? 1 : 2L); }
            { M(n ?? 1); }
            { M($"{i}"); }
        }
    }
}

namespace Generated.Pair116
{
    class C
    {
        static void M(IEnumerable<int> x) { } static void M(int[] x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
        }
    }
}

namespace Generated.Pair117
{
    class C
    {
        static void M(IEnumerable<int> x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
        }
    }
}

namespace Generated.Pair118
{
    class C
    {
        static void M(IEnumerable<int> x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair119
{
    class C
    {
        static void M(IEnumerable<int> x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
        }
    }
}

namespace Generated.Pair120
{
    class C
    {
        static void M(IEnumerable<int> x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair121
{
    class C
    {
        static void M(IEnumerable<int> x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(l); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
        }
    }
}

namespace Generated.Pair122
{
    class C
    {
        static void M(int[] x) { } static void M(ReadOnlySpan<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(new[] { 1 }); }
            { M([1, 2]); }
        }
    }
}

namespace Generated.Pair123
{
    class C
    {
        static void M(int[] x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair124
{
    class C
    {
        static void M(int[] x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
        }
    }
}

namespace Generated.Pair125
{
    class C
    {
        static void M(int[] x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair126
{
    class C
    {
        static void M(int[] x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
        }
    }
}

namespace Generated.Pair127
{
    class C
    {
        static void M(ReadOnlySpan<int> x) { } static void M(Func<int> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => 1); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair128
{
    class C
    {
        static void M(ReadOnlySpan<int> x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
        }
    }
}

namespace Generated.Pair129
{
    class C
    {
        static void M(ReadOnlySpan<int> x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair130
{
    class C
    {
        static void M(ReadOnlySpan<int> x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(new[] { 1 }); }
            { M([1, 2]); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
        }
    }
}

namespace Generated.Pair131
{
    class C
    {
        static void M(Func<int> x) { } static void M(Func<long> x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair132
{
    class C
    {
        static void M(Func<int> x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(() => 1); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Number); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair133
{
    class C
    {
        static void M(Func<int> x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Number); }
        }
    }
}

namespace Generated.Pair134
{
    class C
    {
        static void M(Func<long> x) { } static void M(Action x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Pair135
{
    class C
    {
        static void M(Func<long> x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
        }
    }
}

namespace Generated.Pair136
{
    class C
    {
        static void M(Action x) { } static void M(Delegate x) { }
        static int Number() => 1; static void Nothing() { } static void Use(byte b, int i, int? n, List<int> l, object o)
        {
            { M(null); }
            { M(default); }
            { M(() => 1); }
            { M(() => 1L); }
            { M(() => { }); }
            { M(() => throw new Exception()); }
            { M(Nothing); }
        }
    }
}

namespace Generated.Shapes137
{
    class C
    {
        static T F<T>(T a, T b) => a; static T F<T>(IEnumerable<T> a, T b) => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes138
{
    class C
    {
        static T F<T>(T a, T b) => a; static U F<T, U>(T a, Func<T, U> b) => b(a);
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(n, 5).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes139
{
    class C
    {
        static T F<T>(T a, T b) => a; static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(l, x => x > 1).ToString(); }
            { F(n, 5).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes140
{
    class C
    {
        static T F<T>(T a, T b) => a; static T F<T>(T a, Action<T> b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(n, 5).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes141
{
    class C
    {
        static T F<T>(T a, T b) => a; static T F<T>(Func<T> a, Func<T, T> b) => b(a());
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes142
{
    class C
    {
        static T F<T>(T a, T b) => a; static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes143
{
    class C
    {
        static T F<T>(T a, T b) => a; static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes144
{
    class C
    {
        static T F<T>(T a, T b) => a; static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes145
{
    class C
    {
        static T F<T>(T a, T b) => a; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(n, 5).ToString(); }
            { F((1, s), "b").ToString(); }
        }
    }
}

namespace Generated.Shapes146
{
    class C
    {
        static T F<T>(T a, T b) => a; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(n, 5).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Shapes147
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static U F<T, U>(T a, Func<T, U> b) => b(a);
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(l, 3).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes148
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, 3).ToString(); }
            { F(l, x => x > 1).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes149
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static T F<T>(T a, Action<T> b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes150
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static T F<T>(Func<T> a, Func<T, T> b) => b(a());
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
        }
    }
}

namespace Generated.Shapes151
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
        }
    }
}

namespace Generated.Shapes152
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes153
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
        }
    }
}

namespace Generated.Shapes154
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F((1, s), "b").ToString(); }
        }
    }
}

namespace Generated.Shapes155
{
    class C
    {
        static T F<T>(IEnumerable<T> a, T b) => b; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, 3).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Shapes156
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(l, x => x > 1).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes157
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static T F<T>(T a, Action<T> b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes158
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static T F<T>(Func<T> a, Func<T, T> b) => b(a());
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes159
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes160
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(n, 5).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes161
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes162
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F((1, s), "b").ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes163
{
    class C
    {
        static U F<T, U>(T a, Func<T, U> b) => b(a); static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(i, x => x.ToString()).ToString(); }
            { F(s, x => x.Length).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(s, string.IsNullOrEmpty).ToString(); }
        }
    }
}

namespace Generated.Shapes164
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static T F<T>(T a, Action<T> b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(l, x => x > 1).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes165
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static T F<T>(Func<T> a, Func<T, T> b) => b(a());
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, x => x > 1).ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes166
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, x => x > 1).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes167
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(l, x => x > 1).ToString(); }
            { F(n, 5).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes168
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, x => x > 1).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes169
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, x => x > 1).ToString(); }
            { F((1, s), "b").ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes170
{
    class C
    {
        static U F<T, U>(IEnumerable<T> a, Func<T, U> b) => default!; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(l, x => x > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(l, x => { return x; }).ToString(); }
            { F(l, int.Abs).ToString(); }
        }
    }
}

namespace Generated.Shapes171
{
    class C
    {
        static T F<T>(T a, Action<T> b) => a; static T F<T>(Func<T> a, Func<T, T> b) => b(a());
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes172
{
    class C
    {
        static T F<T>(T a, Action<T> b) => a; static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes173
{
    class C
    {
        static T F<T>(T a, Action<T> b) => a; static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(n, 5).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes174
{
    class C
    {
        static T F<T>(T a, Action<T> b) => a; static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes175
{
    class C
    {
        static T F<T>(T a, Action<T> b) => a; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F((1, s), "b").ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes176
{
    class C
    {
        static T F<T>(T a, Action<T> b) => a; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F("a", null).ToString(); }
            { F(i, x => x.ToString()).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
            { F(s, x => { x.Trim(); }).ToString(); }
        }
    }
}

namespace Generated.Shapes177
{
    class C
    {
        static T F<T>(Func<T> a, Func<T, T> b) => b(a()); static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(() => s, x => x.Trim()).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
        }
    }
}

namespace Generated.Shapes178
{
    class C
    {
        static T F<T>(Func<T> a, Func<T, T> b) => b(a()); static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes179
{
    class C
    {
        static T F<T>(Func<T> a, Func<T, T> b) => b(a()); static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(new[] { "a" }, "b").ToString(); }
            { F(() => s, x => x.Trim()).ToString(); }
        }
    }
}

namespace Generated.Shapes180
{
    class C
    {
        static T F<T>(Func<T> a, Func<T, T> b) => b(a()); static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(() => s, x => x.Trim()).ToString(); }
            { F((1, s), "b").ToString(); }
        }
    }
}

namespace Generated.Shapes181
{
    class C
    {
        static T F<T>(Func<T> a, Func<T, T> b) => b(a()); static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(() => s, x => x.Trim()).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Shapes182
{
    class C
    {
        static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!; static T F<T>(T? a, T b) where T : struct => b;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes183
{
    class C
    {
        static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!; static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(new[] { "a" }, "b").ToString(); }
            { F(d, x => x.Count > 1).ToString(); }
        }
    }
}

namespace Generated.Shapes184
{
    class C
    {
        static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(d, x => x.Count > 1).ToString(); }
            { F((1, s), "b").ToString(); }
        }
    }
}

namespace Generated.Shapes185
{
    class C
    {
        static K F<K, V>(Dictionary<K, V> a, Func<V, bool> b) where K : notnull => default!; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(d, x => x.Count > 1).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Shapes186
{
    class C
    {
        static T F<T>(T? a, T b) where T : struct => b; static T F<T>(T[] a, params T[] b) => b[0];
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(new[] { "a" }, "b").ToString(); }
            { F(n, 5).ToString(); }
        }
    }
}

namespace Generated.Shapes187
{
    class C
    {
        static T F<T>(T? a, T b) where T : struct => b; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(n, 5).ToString(); }
            { F((1, s), "b").ToString(); }
        }
    }
}

namespace Generated.Shapes188
{
    class C
    {
        static T F<T>(T? a, T b) where T : struct => b; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(1, 2).ToString(); }
            { F(1, 2L).ToString(); }
            { F(n, 5).ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Shapes189
{
    class C
    {
        static T F<T>(T[] a, params T[] b) => b[0]; static (T, U) F<T, U>((T, U) a, U b) => a;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(new[] { "a" }, "b").ToString(); }
            { F((1, s), "b").ToString(); }
        }
    }
}

namespace Generated.Shapes190
{
    class C
    {
        static T F<T>(T[] a, params T[] b) => b[0]; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F(new[] { "a" }, "b").ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Shapes191
{
    class C
    {
        static (T, U) F<T, U>((T, U) a, U b) => a; static T F<T>(Task<T> a, Func<T, T> b) => a.Result;
        static void Use(int i, string s, int? n, List<int> l, Dictionary<string, List<int>> d)
        {
            { F((1, s), "b").ToString(); }
            { F(Task.FromResult(s), x => x + s).ToString(); }
        }
    }
}

namespace Generated.Hiding_field_local
{
    class A { protected string N = ""; }
    class C : A
    {
        void Use()
        {
            string N = "";
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_field_parameter
{
    class A { protected string N = ""; }
    class C : A
    {
        void Use(string N)
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_field_field
{
    class A { protected string N = ""; }
    class C : A
    {
        new string N = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_field_property
{
    class A { protected string N = ""; }
    class C : A
    {
        new string N { get; set; } = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_field_method
{
    class A { protected string N = ""; }
    class C : A
    {
        new string N() => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_field_nested_type
{
    class A { protected string N = ""; }
    class C : A
    {
        new class N { public static string Trim() => ""; public static int Length; }
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_field_constant
{
    class A { protected string N = ""; }
    class C : A
    {
        new const string N = "c";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
        }
    }
}

namespace Generated.Hiding_field_event
{
    class A { protected string N = ""; }
    class C : A
    {
        new event Func<string> N = () => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_field_local_function
{
    class A { protected string N = ""; }
    class C : A
    {
        void Use()
        {
            string N() => "";
            { N().Trim(); }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_property_local
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        void Use()
        {
            string N = "";
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_property_parameter
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        void Use(string N)
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_property_field
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        new string N = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_property_property
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        new string N { get; set; } = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_property_method
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        new string N() => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_property_nested_type
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        new class N { public static string Trim() => ""; public static int Length; }
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_property_constant
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        new const string N = "c";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
        }
    }
}

namespace Generated.Hiding_property_event
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        new event Func<string> N = () => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_property_local_function
{
    class A { protected string N { get; set; } = ""; }
    class C : A
    {
        void Use()
        {
            string N() => "";
            { N().Trim(); }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_method_local
{
    class A { protected string N() => ""; }
    class C : A
    {
        void Use()
        {
            string N = "";
            { N.Trim(); }
            { _ = N.Length; }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_method_parameter
{
    class A { protected string N() => ""; }
    class C : A
    {
        void Use(string N)
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_method_field
{
    class A { protected string N() => ""; }
    class C : A
    {
        new string N = "";
        void Use()
        {
            { N.Trim(); }
            { N().Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_method_property
{
    class A { protected string N() => ""; }
    class C : A
    {
        new string N { get; set; } = "";
        void Use()
        {
            { N.Trim(); }
            { N().Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_method_method
{
    class A { protected string N() => ""; }
    class C : A
    {
        new string N() => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_method_nested_type
{
    class A { protected string N() => ""; }
    class C : A
    {
        new class N { public static string Trim() => ""; public static int Length; }
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_method_constant
{
    class A { protected string N() => ""; }
    class C : A
    {
        new const string N = "c";
        void Use()
        {
            { N.Trim(); }
            { N().Trim(); }
            { _ = N.Length; }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
        }
    }
}

namespace Generated.Hiding_method_event
{
    class A { protected string N() => ""; }
    class C : A
    {
        new event Func<string> N = () => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_method_local_function
{
    class A { protected string N() => ""; }
    class C : A
    {
        void Use()
        {
            string N() => "";
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_nested_type_local
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        void Use()
        {
            string N = "";
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_nested_type_parameter
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        void Use(string N)
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_nested_type_field
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        new string N = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_nested_type_property
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        new string N { get; set; } = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_nested_type_method
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        new string N() => "";
        void Use()
        {
            { N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_nested_type_nested_type
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        new class N { public static string Trim() => ""; public static int Length; }
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_nested_type_constant
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        new const string N = "c";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
        }
    }
}

namespace Generated.Hiding_nested_type_event
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        new event Func<string> N = () => "";
        void Use()
        {
            { N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
            { _ = new { N }; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_nested_type_local_function
{
    class A { protected class N { public static string Trim() => ""; public static int Length; } }
    class C : A
    {
        void Use()
        {
            string N() => "";
            { N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_constant_local
{
    class A { protected const string N = "c"; }
    class C : A
    {
        void Use()
        {
            string N = "";
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_constant_parameter
{
    class A { protected const string N = "c"; }
    class C : A
    {
        void Use(string N)
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_constant_field
{
    class A { protected const string N = "c"; }
    class C : A
    {
        new string N = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_constant_property
{
    class A { protected const string N = "c"; }
    class C : A
    {
        new string N { get; set; } = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N = "x"; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_constant_method
{
    class A { protected const string N = "c"; }
    class C : A
    {
        new string N() => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_constant_nested_type
{
    class A { protected const string N = "c"; }
    class C : A
    {
        new class N { public static string Trim() => ""; public static int Length; }
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_constant_constant
{
    class A { protected const string N = "c"; }
    class C : A
    {
        new const string N = "c";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
        }
    }
}

namespace Generated.Hiding_constant_event
{
    class A { protected const string N = "c"; }
    class C : A
    {
        new event Func<string> N = () => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_constant_local_function
{
    class A { protected const string N = "c"; }
    class C : A
    {
        void Use()
        {
            string N() => "";
            { N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_event_local
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        void Use()
        {
            string N = "";
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_event_parameter
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        void Use(string N)
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_event_field
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        new string N = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_event_property
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        new string N { get; set; } = "";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { this.N.Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_event_method
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        new string N() => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}

namespace Generated.Hiding_event_nested_type
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        new class N { public static string Trim() => ""; public static int Length; }
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { new N(); }
        }
    }
}

namespace Generated.Hiding_event_constant
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        new const string N = "c";
        void Use()
        {
            { N.Trim(); }
            { _ = N.Length; }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { if (N is { Length: 1 } q) q.Trim(); }
        }
    }
}

namespace Generated.Hiding_event_event
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        new event Func<string> N = () => "";
        void Use()
        {
            { N().Trim(); }
            { this.N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
            { _ = new { N }; }
            { N += () => ""; }
        }
    }
}

namespace Generated.Hiding_event_local_function
{
    class A { protected event Func<string> N = () => ""; }
    class C : A
    {
        void Use()
        {
            string N() => "";
            { N().Trim(); }
            { _ = nameof(N); }
            { Func<string> f = N; }
            { Func<string, int> g = N => N.Length; }
        }
    }
}
namespace Generated.Typed { class A { public A Me; public int I; } class B { } record R<T, U>(A X, int Y); record Q<T>(A X);class G<T, U> { public A V; public static A P; public static A S(object o) => null; public G() { } public G(A a, A b) { } public class N<W> { public A V; } } }

namespace Generated.Typed.Place1
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = F<A>(x); } }
            { { Ob = F<A, B>(x); } }
            { { Ob = F<A, B>(x).V.Me; } }
            { { Ob = H<A>(x)(y); } }
            { { Ob = H<A>(x.Me)(y).Me; } }
            { { Ob = H<A, B>(x)(y)(x.Me); } }
            { { Ob = G<A, B>.S(x); } }
            { { Ob = G<A, B>.P.Me; } }
            { { Ob = new G<A, B>(x, y); } }
            { { Ob = new G<A, B>(x, y).V; } }
            { { Ob = new G<A, B> { V = x }; } }
            { { Ob = new G<A, B>[] { null }.Length; } }
            { { Ob = F<(A a, B b)>(x).Me; } }
            { { Ob = F<G<A, G<A, B>>, A[]>(x).V; } }
            { { Ob = o as G<A, B>; } }
            { { Ob = (G<A, B>)o; } }
            { { Ob = F<A, B>(x) ?? new G<A, B>(); } }
            { { Ob = new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }; } }
            { { Ob = o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place2
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(F<A>(x), 1); } }
            { { Is(F<A, B>(x), 1); } }
            { { Is(F<A, B>(x).V.Me, 1); } }
            { { Is(H<A>(x)(y), 1); } }
            { { Is(H<A>(x.Me)(y).Me, 1); } }
            { { Is(H<A, B>(x)(y)(x.Me), 1); } }
            { { Is(G<A, B>.S(x), 1); } }
            { { Is(G<A, B>.P.Me, 1); } }
            { { Is(new G<A, B>(x, y), 1); } }
            { { Is(new G<A, B>(x, y).V, 1); } }
            { { Is(new G<A, B> { V = x }, 1); } }
            { { Is(new G<A, B>[] { null }.Length, 1); } }
            { { Is(F<(A a, B b)>(x).Me, 1); } }
            { { Is(F<G<A, G<A, B>>, A[]>(x).V, 1); } }
            { { Is(o as G<A, B>, 1); } }
            { { Is((G<A, B>)o, 1); } }
            { { Is(F<A, B>(x) ?? new G<A, B>(), 1); } }
            { { Is(new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, 1); } }
            { { Is(o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, 1); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place3
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(1, F<A>(x)); } }
            { { Is(1, F<A, B>(x)); } }
            { { Is(1, F<A, B>(x).V.Me); } }
            { { Is(1, H<A>(x)(y)); } }
            { { Is(1, H<A>(x.Me)(y).Me); } }
            { { Is(1, H<A, B>(x)(y)(x.Me)); } }
            { { Is(1, G<A, B>.S(x)); } }
            { { Is(1, G<A, B>.P.Me); } }
            { { Is(1, new G<A, B>(x, y)); } }
            { { Is(1, new G<A, B>(x, y).V); } }
            { { Is(1, new G<A, B> { V = x }); } }
            { { Is(1, new G<A, B>[] { null }.Length); } }
            { { Is(1, F<(A a, B b)>(x).Me); } }
            { { Is(1, F<G<A, G<A, B>>, A[]>(x).V); } }
            { { Is(1, o as G<A, B>); } }
            { { Is(1, (G<A, B>)o); } }
            { { Is(1, F<A, B>(x) ?? new G<A, B>()); } }
            { { Is(1, new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }); } }
            { { Is(1, o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place4
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(o: F<A>(x), p: F<A, B>(y)); } }
            { { Is(o: F<A, B>(x), p: F<A, B>(y)); } }
            { { Is(o: F<A, B>(x).V.Me, p: F<A, B>(y)); } }
            { { Is(o: H<A>(x)(y), p: F<A, B>(y)); } }
            { { Is(o: H<A>(x.Me)(y).Me, p: F<A, B>(y)); } }
            { { Is(o: H<A, B>(x)(y)(x.Me), p: F<A, B>(y)); } }
            { { Is(o: G<A, B>.S(x), p: F<A, B>(y)); } }
            { { Is(o: G<A, B>.P.Me, p: F<A, B>(y)); } }
            { { Is(o: new G<A, B>(x, y), p: F<A, B>(y)); } }
            { { Is(o: new G<A, B>(x, y).V, p: F<A, B>(y)); } }
            { { Is(o: new G<A, B> { V = x }, p: F<A, B>(y)); } }
            { { Is(o: new G<A, B>[] { null }.Length, p: F<A, B>(y)); } }
            { { Is(o: F<(A a, B b)>(x).Me, p: F<A, B>(y)); } }
            { { Is(o: F<G<A, G<A, B>>, A[]>(x).V, p: F<A, B>(y)); } }
            { { Is(o: o as G<A, B>, p: F<A, B>(y)); } }
            { { Is(o: (G<A, B>)o, p: F<A, B>(y)); } }
            { { Is(o: F<A, B>(x) ?? new G<A, B>(), p: F<A, B>(y)); } }
            { { Is(o: new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, p: F<A, B>(y)); } }
            { { Is(o: o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, p: F<A, B>(y)); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place5
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { L(a => F<A>(x), n); } }
            { { L(a => F<A, B>(x), n); } }
            { { L(a => F<A, B>(x).V.Me, n); } }
            { { L(a => H<A>(x)(y), n); } }
            { { L(a => H<A>(x.Me)(y).Me, n); } }
            { { L(a => H<A, B>(x)(y)(x.Me), n); } }
            { { L(a => G<A, B>.S(x), n); } }
            { { L(a => G<A, B>.P.Me, n); } }
            { { L(a => new G<A, B>(x, y), n); } }
            { { L(a => new G<A, B>(x, y).V, n); } }
            { { L(a => new G<A, B> { V = x }, n); } }
            { { L(a => new G<A, B>[] { null }.Length, n); } }
            { { L(a => F<(A a, B b)>(x).Me, n); } }
            { { L(a => F<G<A, G<A, B>>, A[]>(x).V, n); } }
            { { L(a => o as G<A, B>, n); } }
            { { L(a => (G<A, B>)o, n); } }
            { { L(a => F<A, B>(x) ?? new G<A, B>(), n); } }
            { { L(a => new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, n); } }
            { { L(a => o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, n); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place6
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { L(a => { return F<A>(x); }); } }
            { { L(a => { return F<A, B>(x); }); } }
            { { L(a => { return F<A, B>(x).V.Me; }); } }
            { { L(a => { return H<A>(x)(y); }); } }
            { { L(a => { return H<A>(x.Me)(y).Me; }); } }
            { { L(a => { return H<A, B>(x)(y)(x.Me); }); } }
            { { L(a => { return G<A, B>.S(x); }); } }
            { { L(a => { return G<A, B>.P.Me; }); } }
            { { L(a => { return new G<A, B>(x, y); }); } }
            { { L(a => { return new G<A, B>(x, y).V; }); } }
            { { L(a => { return new G<A, B> { V = x }; }); } }
            { { L(a => { return new G<A, B>[] { null }.Length; }); } }
            { { L(a => { return F<(A a, B b)>(x).Me; }); } }
            { { L(a => { return F<G<A, G<A, B>>, A[]>(x).V; }); } }
            { { L(a => { return o as G<A, B>; }); } }
            { { L(a => { return (G<A, B>)o; }); } }
            { { L(a => { return F<A, B>(x) ?? new G<A, B>(); }); } }
            { { L(a => { return new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }; }); } }
            { { L(a => { return o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }; }); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place7
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = b ? F<A>(x) : null; } }
            { { Ob = b ? F<A, B>(x) : null; } }
            { { Ob = b ? F<A, B>(x).V.Me : null; } }
            { { Ob = b ? H<A>(x)(y) : null; } }
            { { Ob = b ? H<A>(x.Me)(y).Me : null; } }
            { { Ob = b ? H<A, B>(x)(y)(x.Me) : null; } }
            { { Ob = b ? G<A, B>.S(x) : null; } }
            { { Ob = b ? G<A, B>.P.Me : null; } }
            { { Ob = b ? new G<A, B>(x, y) : null; } }
            { { Ob = b ? new G<A, B>(x, y).V : null; } }
            { { Ob = b ? new G<A, B> { V = x } : null; } }
            { { Ob = b ? new G<A, B>[] { null }.Length : null; } }
            { { Ob = b ? F<(A a, B b)>(x).Me : null; } }
            { { Ob = b ? F<G<A, G<A, B>>, A[]>(x).V : null; } }
            { { Ob = b ? o as G<A, B> : null; } }
            { { Ob = b ? (G<A, B>)o : null; } }
            { { Ob = b ? F<A, B>(x) ?? new G<A, B>() : null; } }
            { { Ob = b ? new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) } : null; } }
            { { Ob = b ? o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null } : null; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place8
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(b ? null : F<A>(x), F<A, B>(y)); } }
            { { Is(b ? null : F<A, B>(x), F<A, B>(y)); } }
            { { Is(b ? null : F<A, B>(x).V.Me, F<A, B>(y)); } }
            { { Is(b ? null : H<A>(x)(y), F<A, B>(y)); } }
            { { Is(b ? null : H<A>(x.Me)(y).Me, F<A, B>(y)); } }
            { { Is(b ? null : H<A, B>(x)(y)(x.Me), F<A, B>(y)); } }
            { { Is(b ? null : G<A, B>.S(x), F<A, B>(y)); } }
            { { Is(b ? null : G<A, B>.P.Me, F<A, B>(y)); } }
            { { Is(b ? null : new G<A, B>(x, y), F<A, B>(y)); } }
            { { Is(b ? null : new G<A, B>(x, y).V, F<A, B>(y)); } }
            { { Is(b ? null : new G<A, B> { V = x }, F<A, B>(y)); } }
            { { Is(b ? null : new G<A, B>[] { null }.Length, F<A, B>(y)); } }
            { { Is(b ? null : F<(A a, B b)>(x).Me, F<A, B>(y)); } }
            { { Is(b ? null : F<G<A, G<A, B>>, A[]>(x).V, F<A, B>(y)); } }
            { { Is(b ? null : o as G<A, B>, F<A, B>(y)); } }
            { { Is(b ? null : (G<A, B>)o, F<A, B>(y)); } }
            { { Is(b ? null : F<A, B>(x) ?? new G<A, B>(), F<A, B>(y)); } }
            { { Is(b ? null : new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, F<A, B>(y)); } }
            { { Is(b ? null : o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, F<A, B>(y)); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place9
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = new object[] { F<A>(x), F<A, B>(y) }; } }
            { { Ob = new object[] { F<A, B>(x), F<A, B>(y) }; } }
            { { Ob = new object[] { F<A, B>(x).V.Me, F<A, B>(y) }; } }
            { { Ob = new object[] { H<A>(x)(y), F<A, B>(y) }; } }
            { { Ob = new object[] { H<A>(x.Me)(y).Me, F<A, B>(y) }; } }
            { { Ob = new object[] { H<A, B>(x)(y)(x.Me), F<A, B>(y) }; } }
            { { Ob = new object[] { G<A, B>.S(x), F<A, B>(y) }; } }
            { { Ob = new object[] { G<A, B>.P.Me, F<A, B>(y) }; } }
            { { Ob = new object[] { new G<A, B>(x, y), F<A, B>(y) }; } }
            { { Ob = new object[] { new G<A, B>(x, y).V, F<A, B>(y) }; } }
            { { Ob = new object[] { new G<A, B> { V = x }, F<A, B>(y) }; } }
            { { Ob = new object[] { new G<A, B>[] { null }.Length, F<A, B>(y) }; } }
            { { Ob = new object[] { F<(A a, B b)>(x).Me, F<A, B>(y) }; } }
            { { Ob = new object[] { F<G<A, G<A, B>>, A[]>(x).V, F<A, B>(y) }; } }
            { { Ob = new object[] { o as G<A, B>, F<A, B>(y) }; } }
            { { Ob = new object[] { (G<A, B>)o, F<A, B>(y) }; } }
            { { Ob = new object[] { F<A, B>(x) ?? new G<A, B>(), F<A, B>(y) }; } }
            { { Ob = new object[] { new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, F<A, B>(y) }; } }
            { { Ob = new object[] { o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, F<A, B>(y) }; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place10
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = ((F<A>(x)), n); } }
            { { Ob = ((F<A, B>(x)), n); } }
            { { Ob = ((F<A, B>(x).V.Me), n); } }
            { { Ob = ((H<A>(x)(y)), n); } }
            { { Ob = ((H<A>(x.Me)(y).Me), n); } }
            { { Ob = ((H<A, B>(x)(y)(x.Me)), n); } }
            { { Ob = ((G<A, B>.S(x)), n); } }
            { { Ob = ((G<A, B>.P.Me), n); } }
            { { Ob = ((new G<A, B>(x, y)), n); } }
            { { Ob = ((new G<A, B>(x, y).V), n); } }
            { { Ob = ((new G<A, B> { V = x }), n); } }
            { { Ob = ((new G<A, B>[] { null }.Length), n); } }
            { { Ob = ((F<(A a, B b)>(x).Me), n); } }
            { { Ob = ((F<G<A, G<A, B>>, A[]>(x).V), n); } }
            { { Ob = ((o as G<A, B>), n); } }
            { { Ob = (((G<A, B>)o), n); } }
            { { Ob = ((F<A, B>(x) ?? new G<A, B>()), n); } }
            { { Ob = ((new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }), n); } }
            { { Ob = ((o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }), n); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place11
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { (object, object) t = (F<A>(x), F<A, B>(y)); } }
            { { (object, object) t = (F<A, B>(x), F<A, B>(y)); } }
            { { (object, object) t = (F<A, B>(x).V.Me, F<A, B>(y)); } }
            { { (object, object) t = (H<A>(x)(y), F<A, B>(y)); } }
            { { (object, object) t = (H<A>(x.Me)(y).Me, F<A, B>(y)); } }
            { { (object, object) t = (H<A, B>(x)(y)(x.Me), F<A, B>(y)); } }
            { { (object, object) t = (G<A, B>.S(x), F<A, B>(y)); } }
            { { (object, object) t = (G<A, B>.P.Me, F<A, B>(y)); } }
            { { (object, object) t = (new G<A, B>(x, y), F<A, B>(y)); } }
            { { (object, object) t = (new G<A, B>(x, y).V, F<A, B>(y)); } }
            { { (object, object) t = (new G<A, B> { V = x }, F<A, B>(y)); } }
            { { (object, object) t = (new G<A, B>[] { null }.Length, F<A, B>(y)); } }
            { { (object, object) t = (F<(A a, B b)>(x).Me, F<A, B>(y)); } }
            { { (object, object) t = (F<G<A, G<A, B>>, A[]>(x).V, F<A, B>(y)); } }
            { { (object, object) t = (o as G<A, B>, F<A, B>(y)); } }
            { { (object, object) t = ((G<A, B>)o, F<A, B>(y)); } }
            { { (object, object) t = (F<A, B>(x) ?? new G<A, B>(), F<A, B>(y)); } }
            { { (object, object) t = (new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, F<A, B>(y)); } }
            { { (object, object) t = (o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, F<A, B>(y)); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place12
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { List<object> c = [F<A>(x), F<A, B>(y)]; } }
            { { List<object> c = [F<A, B>(x), F<A, B>(y)]; } }
            { { List<object> c = [F<A, B>(x).V.Me, F<A, B>(y)]; } }
            { { List<object> c = [H<A>(x)(y), F<A, B>(y)]; } }
            { { List<object> c = [H<A>(x.Me)(y).Me, F<A, B>(y)]; } }
            { { List<object> c = [H<A, B>(x)(y)(x.Me), F<A, B>(y)]; } }
            { { List<object> c = [G<A, B>.S(x), F<A, B>(y)]; } }
            { { List<object> c = [G<A, B>.P.Me, F<A, B>(y)]; } }
            { { List<object> c = [new G<A, B>(x, y), F<A, B>(y)]; } }
            { { List<object> c = [new G<A, B>(x, y).V, F<A, B>(y)]; } }
            { { List<object> c = [new G<A, B> { V = x }, F<A, B>(y)]; } }
            { { List<object> c = [new G<A, B>[] { null }.Length, F<A, B>(y)]; } }
            { { List<object> c = [F<(A a, B b)>(x).Me, F<A, B>(y)]; } }
            { { List<object> c = [F<G<A, G<A, B>>, A[]>(x).V, F<A, B>(y)]; } }
            { { List<object> c = [o as G<A, B>, F<A, B>(y)]; } }
            { { List<object> c = [(G<A, B>)o, F<A, B>(y)]; } }
            { { List<object> c = [F<A, B>(x) ?? new G<A, B>(), F<A, B>(y)]; } }
            { { List<object> c = [new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, F<A, B>(y)]; } }
            { { List<object> c = [o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, F<A, B>(y)]; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place13
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = $"{(F<A>(x))}"; } }
            { { Ob = $"{(F<A, B>(x))}"; } }
            { { Ob = $"{(F<A, B>(x).V.Me)}"; } }
            { { Ob = $"{(H<A>(x)(y))}"; } }
            { { Ob = $"{(H<A>(x.Me)(y).Me)}"; } }
            { { Ob = $"{(H<A, B>(x)(y)(x.Me))}"; } }
            { { Ob = $"{(G<A, B>.S(x))}"; } }
            { { Ob = $"{(G<A, B>.P.Me)}"; } }
            { { Ob = $"{(new G<A, B>(x, y))}"; } }
            { { Ob = $"{(new G<A, B>(x, y).V)}"; } }
            { { Ob = $"{(new G<A, B> { V = x })}"; } }
            { { Ob = $"{(new G<A, B>[] { null }.Length)}"; } }
            { { Ob = $"{(F<(A a, B b)>(x).Me)}"; } }
            { { Ob = $"{(F<G<A, G<A, B>>, A[]>(x).V)}"; } }
            { { Ob = $"{(o as G<A, B>)}"; } }
            { { Ob = $"{((G<A, B>)o)}"; } }
            { { Ob = $"{(F<A, B>(x) ?? new G<A, B>())}"; } }
            { { Ob = $"{(new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) })}"; } }
            { { Ob = $"{(o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null })}"; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place14
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = z[Is(F<A>(x), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(F<A, B>(x), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(F<A, B>(x).V.Me, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(H<A>(x)(y), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(H<A>(x.Me)(y).Me, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(H<A, B>(x)(y)(x.Me), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(G<A, B>.S(x), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(G<A, B>.P.Me, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(new G<A, B>(x, y), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(new G<A, B>(x, y).V, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(new G<A, B> { V = x }, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(new G<A, B>[] { null }.Length, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(F<(A a, B b)>(x).Me, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(F<G<A, G<A, B>>, A[]>(x).V, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(o as G<A, B>, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is((G<A, B>)o, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(F<A, B>(x) ?? new G<A, B>(), F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, F<A, B>(y)) ? 0 : 1]; } }
            { { Ob = z[Is(o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, F<A, B>(y)) ? 0 : 1]; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place15
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = Is(F<A>(x), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(F<A, B>(x), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(F<A, B>(x).V.Me, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(H<A>(x)(y), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(H<A>(x.Me)(y).Me, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(H<A, B>(x)(y)(x.Me), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(G<A, B>.S(x), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(G<A, B>.P.Me, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(new G<A, B>(x, y), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(new G<A, B>(x, y).V, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(new G<A, B> { V = x }, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(new G<A, B>[] { null }.Length, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(F<(A a, B b)>(x).Me, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(F<G<A, G<A, B>>, A[]>(x).V, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(o as G<A, B>, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is((G<A, B>)o, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(F<A, B>(x) ?? new G<A, B>(), await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }, await Task.FromResult(F<A, B>(y))); } }
            { { Ob = Is(o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }, await Task.FromResult(F<A, B>(y))); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place16
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = from i in z let j = (object)(F<A>(x)) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(F<A, B>(x)) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(F<A, B>(x).V.Me) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(H<A>(x)(y)) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(H<A>(x.Me)(y).Me) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(H<A, B>(x)(y)(x.Me)) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(G<A, B>.S(x)) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(G<A, B>.P.Me) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(new G<A, B>(x, y)) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(new G<A, B>(x, y).V) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(new G<A, B> { V = x }) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(new G<A, B>[] { null }.Length) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(F<(A a, B b)>(x).Me) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(F<G<A, G<A, B>>, A[]>(x).V) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(o as G<A, B>) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)((G<A, B>)o) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(F<A, B>(x) ?? new G<A, B>()) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(new { G<A, B>.P, F<A, B>(x).V, W = H<A>(x)(y) }) where Is(j, F<A, B>(y)) select j; } }
            { { Ob = from i in z let j = (object)(o switch { R<A, B>(var p, _) => p.Me, Q<B>(var q) => q.Me, G<B, A> w => w.V, _ => null }) where Is(j, F<A, B>(y)) select j; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place17
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { if (o is G<A, B>) { } } }
            { { if (o is G<A, B> v && v.V.I < n) { } } }
            { { if (o is not G<A, B> v || v.V == x) { } } }
            { { if (o is G<A, B>.N<A> v && v.V == x) { } } }
            { { if (o is R<A, B>(var p, > 1) && p.I < n) { } } }
            { { if (o is Q<A>(var p) && p.I < n) { } } }
            { { if (o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n) { } } }
            { { if (o is (G<A, B> v, 1) && v.V.I < n) { } } }
            { { if (z is [G<A, B> v, ..] && v.V.I < n) { } } }
            { { if (n < m && m > (n)) { } } }
            { { if (I<A>(x) < I<B>(y)) { } } }
            { { if (-I<A>(x) < n) { } } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place18
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { while (b && (o is G<A, B>)) { } } }
            { { while (b && (o is G<A, B> v && v.V.I < n)) { } } }
            { { while (b && (o is not G<A, B> v || v.V == x)) { } } }
            { { while (b && (o is G<A, B>.N<A> v && v.V == x)) { } } }
            { { while (b && (o is R<A, B>(var p, > 1) && p.I < n)) { } } }
            { { while (b && (o is Q<A>(var p) && p.I < n)) { } } }
            { { while (b && (o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n)) { } } }
            { { while (b && (o is (G<A, B> v, 1) && v.V.I < n)) { } } }
            { { while (b && (z is [G<A, B> v, ..] && v.V.I < n)) { } } }
            { { while (b && (n < m && m > (n))) { } } }
            { { while (b && (I<A>(x) < I<B>(y))) { } } }
            { { while (b && (-I<A>(x) < n)) { } } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place19
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(o is G<A, B>, 1); } }
            { { Is(o is G<A, B> v && v.V.I < n, 1); } }
            { { Is(o is not G<A, B> v || v.V == x, 1); } }
            { { Is(o is G<A, B>.N<A> v && v.V == x, 1); } }
            { { Is(o is R<A, B>(var p, > 1) && p.I < n, 1); } }
            { { Is(o is Q<A>(var p) && p.I < n, 1); } }
            { { Is(o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n, 1); } }
            { { Is(o is (G<A, B> v, 1) && v.V.I < n, 1); } }
            { { Is(z is [G<A, B> v, ..] && v.V.I < n, 1); } }
            { { Is(n < m && m > (n), 1); } }
            { { Is(I<A>(x) < I<B>(y), 1); } }
            { { Is(-I<A>(x) < n, 1); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place20
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(b && (o is G<A, B>), F<A, B>(y)); } }
            { { Is(b && (o is G<A, B> v && v.V.I < n), F<A, B>(y)); } }
            { { Is(b && (o is not G<A, B> v || v.V == x), F<A, B>(y)); } }
            { { Is(b && (o is G<A, B>.N<A> v && v.V == x), F<A, B>(y)); } }
            { { Is(b && (o is R<A, B>(var p, > 1) && p.I < n), F<A, B>(y)); } }
            { { Is(b && (o is Q<A>(var p) && p.I < n), F<A, B>(y)); } }
            { { Is(b && (o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n), F<A, B>(y)); } }
            { { Is(b && (o is (G<A, B> v, 1) && v.V.I < n), F<A, B>(y)); } }
            { { Is(b && (z is [G<A, B> v, ..] && v.V.I < n), F<A, B>(y)); } }
            { { Is(b && (n < m && m > (n)), F<A, B>(y)); } }
            { { Is(b && (I<A>(x) < I<B>(y)), F<A, B>(y)); } }
            { { Is(b && (-I<A>(x) < n), F<A, B>(y)); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place21
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { P(a => o is G<A, B>, n); } }
            { { P(a => o is G<A, B> v && v.V.I < n, n); } }
            { { P(a => o is not G<A, B> v || v.V == x, n); } }
            { { P(a => o is G<A, B>.N<A> v && v.V == x, n); } }
            { { P(a => o is R<A, B>(var p, > 1) && p.I < n, n); } }
            { { P(a => o is Q<A>(var p) && p.I < n, n); } }
            { { P(a => o is (G<A, B> v, 1) && v.V.I < n, n); } }
            { { P(a => z is [G<A, B> v, ..] && v.V.I < n, n); } }
            { { P(a => n < m && m > (n), n); } }
            { { P(a => I<A>(x) < I<B>(y), n); } }
            { { P(a => -I<A>(x) < n, n); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place22
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = o is G<A, B> ? x : null; } }
            { { Ob = o is G<A, B> v && v.V.I < n ? x : null; } }
            { { Ob = o is not G<A, B> v || v.V == x ? x : null; } }
            { { Ob = o is G<A, B>.N<A> v && v.V == x ? x : null; } }
            { { Ob = o is R<A, B>(var p, > 1) && p.I < n ? x : null; } }
            { { Ob = o is Q<A>(var p) && p.I < n ? x : null; } }
            { { Ob = o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n ? x : null; } }
            { { Ob = o is (G<A, B> v, 1) && v.V.I < n ? x : null; } }
            { { Ob = z is [G<A, B> v, ..] && v.V.I < n ? x : null; } }
            { { Ob = n < m && m > (n) ? x : null; } }
            { { Ob = I<A>(x) < I<B>(y) ? x : null; } }
            { { Ob = -I<A>(x) < n ? x : null; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place23
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Is(o is G<A, B> ? x : null, F<A, B>(y)); } }
            { { Is(o is G<A, B> v && v.V.I < n ? x : null, F<A, B>(y)); } }
            { { Is(o is not G<A, B> v || v.V == x ? x : null, F<A, B>(y)); } }
            { { Is(o is G<A, B>.N<A> v && v.V == x ? x : null, F<A, B>(y)); } }
            { { Is(o is R<A, B>(var p, > 1) && p.I < n ? x : null, F<A, B>(y)); } }
            { { Is(o is Q<A>(var p) && p.I < n ? x : null, F<A, B>(y)); } }
            { { Is(o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n ? x : null, F<A, B>(y)); } }
            { { Is(o is (G<A, B> v, 1) && v.V.I < n ? x : null, F<A, B>(y)); } }
            { { Is(z is [G<A, B> v, ..] && v.V.I < n ? x : null, F<A, B>(y)); } }
            { { Is(n < m && m > (n) ? x : null, F<A, B>(y)); } }
            { { Is(I<A>(x) < I<B>(y) ? x : null, F<A, B>(y)); } }
            { { Is(-I<A>(x) < n ? x : null, F<A, B>(y)); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place24
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = new[] { o is G<A, B>, b }; } }
            { { Ob = new[] { o is G<A, B> v && v.V.I < n, b }; } }
            { { Ob = new[] { o is not G<A, B> v || v.V == x, b }; } }
            { { Ob = new[] { o is G<A, B>.N<A> v && v.V == x, b }; } }
            { { Ob = new[] { o is R<A, B>(var p, > 1) && p.I < n, b }; } }
            { { Ob = new[] { o is Q<A>(var p) && p.I < n, b }; } }
            { { Ob = new[] { o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n, b }; } }
            { { Ob = new[] { o is (G<A, B> v, 1) && v.V.I < n, b }; } }
            { { Ob = new[] { z is [G<A, B> v, ..] && v.V.I < n, b }; } }
            { { Ob = new[] { n < m && m > (n), b }; } }
            { { Ob = new[] { I<A>(x) < I<B>(y), b }; } }
            { { Ob = new[] { -I<A>(x) < n, b }; } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place25
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { Ob = (o is G<A, B>, F<A, B>(y)); } }
            { { Ob = (o is G<A, B> v && v.V.I < n, F<A, B>(y)); } }
            { { Ob = (o is not G<A, B> v || v.V == x, F<A, B>(y)); } }
            { { Ob = (o is G<A, B>.N<A> v && v.V == x, F<A, B>(y)); } }
            { { Ob = (o is R<A, B>(var p, > 1) && p.I < n, F<A, B>(y)); } }
            { { Ob = (o is Q<A>(var p) && p.I < n, F<A, B>(y)); } }
            { { Ob = (o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n, F<A, B>(y)); } }
            { { Ob = (o is (G<A, B> v, 1) && v.V.I < n, F<A, B>(y)); } }
            { { Ob = (z is [G<A, B> v, ..] && v.V.I < n, F<A, B>(y)); } }
            { { Ob = (n < m && m > (n), F<A, B>(y)); } }
            { { Ob = (I<A>(x) < I<B>(y), F<A, B>(y)); } }
            { { Ob = (-I<A>(x) < n, F<A, B>(y)); } }
            { return o; }
        }
    }
}

namespace Generated.Typed.Place26
{
    class C
    {
        static A F<T>(object o) => null; static G<T, U> F<T, U>(object o) => null; static Func<A, A> H<T>(object o) => null;static Func<A, Func<A, A>> H<T, U>(object o) => null; static int I<T>(object o) => 1;static bool Is(bool b, object o = null) => b; static bool Is(object o, object p = null) => true;static object L(Func<object, object> f, int i = 0) => f; static bool P(Func<object, bool> f, int i = 0) => true;static object Ob; static async Task<object> Use(A x, A y, int n, int m, bool b, object o, object[] z)
        {
            { { bool Local() => o is G<A, B>; } }
            { { bool Local() => o is G<A, B> v && v.V.I < n; } }
            { { bool Local() => o is not G<A, B> v || v.V == x; } }
            { { bool Local() => o is G<A, B>.N<A> v && v.V == x; } }
            { { bool Local() => o is R<A, B>(var p, > 1) && p.I < n; } }
            { { bool Local() => o is Q<A>(var p) && p.I < n; } }
            { { bool Local() => o is R<A, B>(G<A, B> { V: var q }, 1) && q.I < n; } }
            { { bool Local() => o is (G<A, B> v, 1) && v.V.I < n; } }
            { { bool Local() => z is [G<A, B> v, ..] && v.V.I < n; } }
            { { bool Local() => n < m && m > (n); } }
            { { bool Local() => I<A>(x) < I<B>(y); } }
            { { bool Local() => -I<A>(x) < n; } }
            { return o; }
        }
    }
}
