// Rules that a version of C# changed, docs/language-versions.md: one program a namespace, most of them valid in every version.

using System.Collections;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;

namespace Versions.SpanReceivers
{
    static class Extensions
    {
        public static void Own(this Span<int> items) { }
        public static void Own(this IEnumerable<int> items) { }
        public static void Letters(this ReadOnlySpan<char> text) { }
        public static void Letters(this object text) { }
        public static void Wider(this ReadOnlySpan<object> items) { }
        public static void Wider(this IEnumerable items) { }
    }
    class C
    {
        void Use(int[] a, int[] b, string s, string[] names)
        {
            a.Contains(3);
            a.SequenceEqual(b);
            a.Own();
            s.Letters();
            names.Wider();
            names.Contains("x");
            names.Contains("x", StringComparer.Ordinal);
            System.Linq.Enumerable.Contains(names, "x");
            Array.IndexOf(a, 3);
        }
    }
}

namespace Versions.SpanArguments
{
    class C
    {
        void Read(ReadOnlySpan<int> x) { }
        void Read(int[] x) { }
        void Sequence(ReadOnlySpan<int> x) { }
        void Sequence(IEnumerable<int> x) { }
        void Both(Span<int> x) { }
        void Both(ReadOnlySpan<int> x) { }
        void Any(ReadOnlySpan<int> x) { }
        void Any(object x) { }
        void Wide(ReadOnlySpan<object> x) { }
        void Wide(IEnumerable<object> x) { }
        void Text(ReadOnlySpan<char> x) { }
        void Text(IEnumerable<char> x) { }
        void Object(ReadOnlySpan<char> x) { }
        void Object(object x) { }
        void Use(int[] a, string[] names, string s, Span<int> span)
        {
            Read(a);
            Sequence(a);
            Both(a);
            Both(span);
            Any(a);
            Wide(names);
            Text(s);
            Object(s);
            Object("");
            s.IndexOf("a");
            s.Split(',');
            string.Concat(s, s);
            int.Parse(s);
            new List<int>(a).AddRange(a);
        }
    }
}

namespace Versions.SpanInference
{
    class C
    {
        T First<T>(ReadOnlySpan<T> x) => x[0];
        T First<T>(IEnumerable<T> x) => default;
        T Second<T>(Span<T> x) => x[0];
        object Second(object x) => x;
        void Pair<T>(ReadOnlySpan<T> x, T y) { }
        void Pair<T>(T[] x, T y) { }
        void Use(int[] a, Span<string> names)
        {
            First(a).ToString();
            Second(a).ToString();
            Pair(a, 1);
        }
    }
}

namespace Versions.ParamsCollections
{
    class C
    {
        void Use(Task a, Task b, string s, StringBuilder text, object o, CancellationToken token)
        {
            Task.WhenAll(a, b);
            Task.WhenAny(a, b, a);
            string.Join(", ", s, s);
            string.Join(',', s, s);
            string.Concat(s, s, s, s, s);
            string.Format("{0}{1}{2}{3}", o, o, o, o);
            s.Split(',', '-');
            s.Split(',');
            s.Trim('a', 'b');
            System.IO.Path.Combine(s, s, s, s, s);
            text.AppendFormat("{0}{1}{2}{3}", o, o, o, o);
            text.AppendJoin(",", s, s);
            CancellationTokenSource.CreateLinkedTokenSource(token, token, token);
            Console.WriteLine("{0}{1}{2}{3}", o, o, o, o);
            s.Split();
        }
    }
}

namespace Versions.OverloadPriority
{
    class C
    {
        [OverloadResolutionPriority(1)] void M(object x) { }
        void M(string x) { }
        [OverloadResolutionPriority(-1)] void N(int x) { }
        void N(long x) { }
        void O(int x) { }
        [OverloadResolutionPriority(2)] void O(int x, int y = 0, int z = 0) { }
        void Use(bool b, string s)
        {
            M("a");
            N(1);
            O(1);
            Debug.Assert(b);
            Debug.Assert(b, s);
            ArgumentNullException.ThrowIfNull(s);
        }
    }
}

namespace Versions.NaturalFunctionTypes
{
    static class Near
    {
        public static void Run(this string text, Action action) { }
        public static void Call(this string text, object value) { }
    }
    class C
    {
        static int Number() => 1;
        static void Nothing() { }
        void Take(object x) { }
        void Take(Func<int> x) { }
        void Wide(object x) { }
        void Wide(Func<long> x) { }
        void Generic<T>(T x) { }
        void Generic(Func<long> x) { }
        void Either(Delegate x) { }
        void Either(Func<object> x) { }
        void Tree(Delegate x) { }
        void Tree(System.Linq.Expressions.Expression<Func<int>> x) { }
        void Use(string s)
        {
            Take(() => 1);
            Take(Number);
            Wide(() => 1);
            Generic(() => 1);
            Generic(() => 1L);
            Either(() => "");
            Tree(() => 1);
            s.Run(() => { });
            s.Run(Nothing);
        }
    }
}

namespace Versions.FunctionsFartherOut
{
    static class Far
    {
        public static void Do(this string text, Action action) { }
        public static void Make(this string text, Func<int> function) { }
    }
    namespace Inner
    {
        static class Near
        {
            public static void Do(this string text, object value) { }
            public static void Make<T>(this string text, T value) { }
        }
        class C
        {
            static int Number() => 1;
            void Use(string s)
            {
                s.Do(() => { });
                s.Make(() => 1);
                s.Make(Number);
            }
        }
    }
}

namespace Versions.StringHandlers
{
    [InterpolatedStringHandler]
    struct Handler
    {
        public Handler(int literals, int holes) { }
        public void AppendLiteral(string text) { }
        public void AppendFormatted<T>(T value) { }
    }
    class C
    {
        void Log(string text) { }
        void Log(Handler text) { }
        void Format(FormattableString text) { }
        void Format(object text) { }
        void Use(StringBuilder text, bool b, int i)
        {
            Log($"{i}");
            Log($"a");
            Format($"{i}");
            text.Append($"{i}");
            text.AppendLine($"{i}");
            text.Append($"a");
            Debug.Assert(b, $"{i}");
            Debug.WriteLineIf(b, $"{i}");
        }
    }
}

namespace Versions.HandlersAsObjects // C# 10
{
    using Versions.StringHandlers;
    class C
    {
        void Object(object text) { }
        void Object(Handler text) { }
        void Use(int i)
        {
            Object($"{i}");
            Object($"a");
        }
    }
}

namespace Versions.Conditionals
{
    class C
    {
        void Short(short x) { }
        void Short(object x) { }
        void Null(int? x) { }
        void Null(object x) { }
        T Same<T>(T x) => x;
        void Use(bool b, int i, List<int> list, int[] array)
        {
            Short(b ? 1 : 2);
            Null(b ? 1 : (int?)null);
            Same(b ? list : (IList<int>)array).Count.ToString();
            Same(b ? 1 : 2L).ToString();
        }
    }
}

namespace Versions.FieldKeyword
{
    class C
    {
        string field = "";
        int count;
        string Text { get { return field; } set { field = value; } }
        string Upper { get { return this.field.Trim(); } set { this.field = value; } }
        string Plain() => field.Trim();
        int Count { get { return count; } }
    }
}

namespace Versions.TupleNames
{
    class C
    {
        int Size { get; set; }
        void Use(string name, int[] items)
        {
            var pair = (name, items.Length, Size);
            pair.name.Trim();
            pair.Length.ToString();
            pair.Item3.ToString();
            pair.Size.ToString();
        }
    }
}

namespace Versions.NullToSpan
{
    class C
    {
        void M(ReadOnlySpan<char> x) { }
        void M(int x) { }
        void Use()
        {
            M(null);
            M(default(ReadOnlySpan<char>));
        }
    }
}

namespace Versions.CollectionElements
{
    class C
    {
        void Spans(ReadOnlySpan<int> x) { }
        void Spans(int[] x) { }
        void Interfaces(Span<int> x) { }
        void Interfaces(IEnumerable<int> x) { }
        void ReadOnly(Span<int> x) { }
        void ReadOnly(ReadOnlySpan<int> x) { }
        void Mixed(ReadOnlySpan<long> x) { }
        void Mixed(int[] x) { }
        void Objects(ReadOnlySpan<object> x) { }
        void Objects(ReadOnlySpan<string> x) { }
        void Widened(ReadOnlySpan<int> x) { }
        void Widened(object[] x) { }
        void Use(int i, string s)
        {
            Spans([1, 2]);
            Interfaces([1, i]);
            ReadOnly([i]);
            Mixed([1]);
            Objects([s]);
            Widened([i]);
        }
    }
}
