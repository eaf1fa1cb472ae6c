using System;
using System.Collections.Generic;

namespace Earshot
{
    /// <summary>
    /// Reads and writes the fields of a JSON object by name and type. A field that is missing or null is read as the type's default, so
    /// a kit older or newer than its daemon goes on.
    /// </summary>
    public static class Fields
    {
        /// <summary>Returns the fields of an object; null for null.</summary>
        /// <exception cref="UnreadableAnswerException">It is no object.</exception>
        public static Dictionary<string, object> Of(object json)
        {
            return As<Dictionary<string, object>>(json, "an object");
        }

        public static string AsText(object json)
        {
            return As<string>(json, "text");
        }

        public static object AsAny(object json)
        {
            return json;
        }

        public static Dictionary<string, object> AsMap(object json)
        {
            return Of(json);
        }

        public static List<T> AsList<T>(object json, Func<object, T> read)
        {
            var items = As<List<object>>(json, "a list");
            if (items == null) return null;
            var list = new List<T>(items.Count);
            foreach (var item in items) list.Add(read(item));
            return list;
        }

        public static string Text(Dictionary<string, object> fields, string name)
        {
            return AsText(Any(fields, name));
        }

        public static long Long(Dictionary<string, object> fields, string name)
        {
            return LongOrNull(fields, name) ?? 0;
        }

        public static long? LongOrNull(Dictionary<string, object> fields, string name)
        {
            var value = Any(fields, name);
            if (value == null) return null;
            if (value is long) return (long)value;
            if (value is double && Math.Abs((double)value) < 9e18) return (long)(double)value;
            throw Wrong("a whole number", name);
        }

        public static double Double(Dictionary<string, object> fields, string name)
        {
            return DoubleOrNull(fields, name) ?? 0;
        }

        public static double? DoubleOrNull(Dictionary<string, object> fields, string name)
        {
            var value = Any(fields, name);
            if (value == null) return null;
            if (value is double) return (double)value;
            if (value is long) return (long)value;
            throw Wrong("a number", name);
        }

        public static bool Bool(Dictionary<string, object> fields, string name)
        {
            return BoolOrNull(fields, name) ?? false;
        }

        public static bool? BoolOrNull(Dictionary<string, object> fields, string name)
        {
            var value = Any(fields, name);
            if (value == null) return null;
            if (value is bool) return (bool)value;
            throw Wrong("true or false", name);
        }

        public static DateTimeOffset Time(Dictionary<string, object> fields, string name)
        {
            return TimeOrNull(fields, name) ?? default(DateTimeOffset);
        }

        public static DateTimeOffset? TimeOrNull(Dictionary<string, object> fields, string name)
        {
            var text = Text(fields, name);
            if (text == null) return null;
            try
            {
                return Times.Read(text);
            }
            catch (FormatException)
            {
                throw Wrong("a time", name);
            }
        }

        public static Dictionary<string, object> Map(Dictionary<string, object> fields, string name)
        {
            return Of(Any(fields, name));
        }

        public static Dictionary<string, string> TextMap(Dictionary<string, object> fields, string name)
        {
            var map = Map(fields, name);
            if (map == null) return null;
            var texts = new Dictionary<string, string>();
            foreach (var entry in map) texts[entry.Key] = AsText(entry.Value);
            return texts;
        }

        public static object Any(Dictionary<string, object> fields, string name)
        {
            object value;
            return fields.TryGetValue(name, out value) ? value : null;
        }

        public static T Item<T>(Dictionary<string, object> fields, string name, Func<object, T> read)
        {
            return read(Any(fields, name));
        }

        public static List<T> Items<T>(Dictionary<string, object> fields, string name, Func<object, T> read)
        {
            return AsList(Any(fields, name), read);
        }

        /// <summary>Adds the field, unless the value is null: the daemon then takes its default.</summary>
        public static void Put(Dictionary<string, object> fields, string name, object value)
        {
            if (value != null) fields[name] = value;
        }

        private static T As<T>(object json, string kind) where T : class
        {
            var value = json as T;
            if (value == null && json != null) throw new UnreadableAnswerException("An answer has something else where " + kind + " was expected.", null);
            return value;
        }

        private static UnreadableAnswerException Wrong(string kind, string name)
        {
            return new UnreadableAnswerException("An answer has something else where " + kind + " was expected: " + name + ".", null);
        }
    }
}
