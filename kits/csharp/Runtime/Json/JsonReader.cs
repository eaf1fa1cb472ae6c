using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Earshot
{
    /// <summary>
    /// Reads JSON (RFC 8259) into Dictionary&lt;string, object&gt;, List&lt;object&gt;, string, long, double, bool and null.
    /// Uses no reflection, so IL2CPP strips nothing that it needs.
    /// </summary>
    public sealed class JsonReader
    {
        private const int MaxDepth = 100;
        private readonly string text;
        private int at;
        private int depth;

        private JsonReader(string text)
        {
            this.text = text;
        }

        /// <exception cref="FormatException">The text is not JSON, or is nested more than 100 levels deep.</exception>
        public static object Read(string text)
        {
            var reader = new JsonReader(text);
            var value = reader.Value();
            reader.SkipSpace();
            if (reader.at < text.Length) throw reader.Wrong("ends here");
            return value;
        }

        private object Value()
        {
            SkipSpace();
            switch (Peek())
            {
                case '{': return Object();
                case '[': return Array();
                case '"': return Text();
                case 't': return Word("true", true);
                case 'f': return Word("false", false);
                case 'n': return Word("null", null);
                default: return Number();
            }
        }

        private Dictionary<string, object> Object()
        {
            var fields = new Dictionary<string, object>();
            if (IsEmpty('}')) return fields;
            do
            {
                SkipSpace();
                if (Peek() != '"') throw Wrong("a name in quotes");
                var name = Text();
                SkipSpace();
                if (Next() != ':') throw Wrong("a colon");
                fields[name] = Value();
            } while (IsContinued('}'));
            return fields;
        }

        private List<object> Array()
        {
            var items = new List<object>();
            if (IsEmpty(']')) return items;
            do items.Add(Value());
            while (IsContinued(']'));
            return items;
        }

        private bool IsEmpty(char end)
        {
            at += 1;
            depth += 1;
            if (depth > MaxDepth) throw Wrong("fewer levels");
            SkipSpace();
            if (Peek() != end) return false;
            at += 1;
            depth -= 1;
            return true;
        }

        private bool IsContinued(char end)
        {
            SkipSpace();
            var next = Next();
            if (next == ',') return true;
            if (next != end) throw Wrong("a comma or " + end);
            depth -= 1;
            return false;
        }

        private string Text()
        {
            at += 1;
            var begin = at;
            while (Peek() != '"' && Peek() != '\\') at += Plain();
            if (Peek() == '"') return text.Substring(begin, at++ - begin);
            var written = new StringBuilder(text, begin, at - begin, Math.Max(16, (at - begin) * 2));
            while (Peek() != '"')
            {
                if (Peek() != '\\') written.Append(text, at, Plain());
                else written.Append(Escaped());
                at += 1;
            }
            at += 1;
            return written.ToString();
        }

        private int Plain()
        {
            if (Peek() < ' ') throw Wrong("no control character");
            return 1;
        }

        private char Escaped()
        {
            at += 1;
            switch (Peek())
            {
                case '"': return '"';
                case '\\': return '\\';
                case '/': return '/';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u': break;
                default: throw Wrong("an escape");
            }
            int code = 0;
            for (var digit = 0; digit < 4; digit += 1)
            {
                at += 1;
                var value = "0123456789abcdef".IndexOf(char.ToLowerInvariant(Peek()));
                if (value < 0) throw Wrong("four hexadecimal digits");
                code = code * 16 + value;
            }
            return (char)code;
        }

        private object Word(string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Wrong("a value");
            at += word.Length;
            return value;
        }

        private object Number()
        {
            var begin = at;
            if (Peek() == '-') at += 1;
            if (Peek() == '0') at += 1;
            else Digits();
            var isInteger = true;
            if (at < text.Length && text[at] == '.')
            {
                isInteger = false;
                at += 1;
                Digits();
            }
            if (at < text.Length && (text[at] == 'e' || text[at] == 'E'))
            {
                isInteger = false;
                at += 1;
                if (Peek() == '+' || Peek() == '-') at += 1;
                Digits();
            }
            var number = text.Substring(begin, at - begin);
            long whole;
            if (isInteger && number != "-0" && long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole))
                return whole;
            double value;
            if (double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out value) && !double.IsInfinity(value)) return value;
            throw Wrong("a number that fits");
        }

        private void Digits()
        {
            var begin = at;
            while (at < text.Length && text[at] >= '0' && text[at] <= '9') at += 1;
            if (at == begin) throw Wrong("a value");
        }

        private char Peek()
        {
            if (at >= text.Length) throw Wrong("more");
            return text[at];
        }

        private char Next()
        {
            var next = Peek();
            at += 1;
            return next;
        }

        private void SkipSpace()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) at += 1;
        }

        private FormatException Wrong(string wanted)
        {
            return new FormatException("This is not JSON: at character " + at + ", " + wanted + " was expected.");
        }
    }
}
