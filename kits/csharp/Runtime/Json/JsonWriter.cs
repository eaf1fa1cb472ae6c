using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Earshot
{
    /// <summary>An object that the writer writes by its fields.</summary>
    public interface IJsonBody
    {
        Dictionary<string, object> ToJson();
    }

    /// <summary>
    /// Writes what JsonReader reads, and besides that int, float and other numbers, DateTimeOffset and DateTime (RFC 3339), IJsonBody, and
    /// every IDictionary with names of text and every IEnumerable.
    /// </summary>
    public static class JsonWriter
    {
        private const int MaxDepth = 100;

        /// <exception cref="ArgumentException">
        /// A value has another type, is not a finite number, or is nested more than 100 levels deep.
        /// </exception>
        public static string Write(object value)
        {
            var written = new StringBuilder();
            Write(written, value, 0);
            return written.ToString();
        }

        private static void Write(StringBuilder to, object value, int depth)
        {
            if (depth > MaxDepth) throw new ArgumentException("The value is nested more than " + MaxDepth + " levels deep.");
            var body = value as IJsonBody;
            if (body != null) value = body.ToJson();
            if (value == null) to.Append("null");
            else if (value is string) WriteText(to, (string)value);
            else if (value is bool) to.Append((bool)value ? "true" : "false");
            else if (value is double || value is float) WriteFraction(to, Convert.ToDouble(value, CultureInfo.InvariantCulture));
            else if (value is DateTimeOffset) WriteText(to, Times.Write((DateTimeOffset)value));
            else if (value is DateTime) WriteText(to, Times.Write(new DateTimeOffset((DateTime)value)));
            else if (value is int || value is long || value is decimal || value is uint || value is ulong || value is short || value is ushort || value is byte || value is sbyte)
                to.Append(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture));
            else if (value is IDictionary) WriteObject(to, (IDictionary)value, depth);
            else if (value is IEnumerable) WriteArray(to, (IEnumerable)value, depth);
            else throw new ArgumentException("JSON has no form for a " + value.GetType().FullName + ". Use text, a number, a bool, a list or a dictionary.");
        }

        private static void WriteFraction(StringBuilder to, double value)
        {
            if (double.IsNaN(value) || double.IsInfinity(value)) throw new ArgumentException("JSON has no form for " + value + ".");
            to.Append(value.ToString("R", CultureInfo.InvariantCulture));
        }

        private static void WriteObject(StringBuilder to, IDictionary fields, int depth)
        {
            var separator = "{";
            foreach (DictionaryEntry field in fields)
            {
                to.Append(separator);
                WriteText(to, (string)field.Key);
                to.Append(':');
                Write(to, field.Value, depth + 1);
                separator = ",";
            }
            to.Append(separator == "{" ? "{}" : "}");
        }

        private static void WriteArray(StringBuilder to, IEnumerable items, int depth)
        {
            var separator = "[";
            foreach (var item in items)
            {
                to.Append(separator);
                Write(to, item, depth + 1);
                separator = ",";
            }
            to.Append(separator == "[" ? "[]" : "]");
        }

        private static void WriteText(StringBuilder to, string text)
        {
            to.Append('"');
            foreach (var character in text)
            {
                if (character == '"' || character == '\\') to.Append('\\').Append(character);
                else if (character < ' ' || char.IsSurrogate(character) || character == '\u2028' || character == '\u2029')
                    to.Append("\\u").Append(((int)character).ToString("x4", CultureInfo.InvariantCulture));
                else to.Append(character);
            }
            to.Append('"');
        }
    }

    /// <summary>Times as RFC 3339 writes them.</summary>
    public static class Times
    {
        public static string Write(DateTimeOffset time)
        {
            return time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        }

        /// <exception cref="FormatException">The text is no time.</exception>
        public static DateTimeOffset Read(string text)
        {
            return DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal);
        }
    }
}
