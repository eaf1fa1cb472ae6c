using System;
using System.Globalization;
using System.Net.Http;
using System.Text;

namespace Earshot
{
    /// <summary>One request, before it is sent: method, path, query, body.</summary>
    internal sealed class Call
    {
        private string target;

        public Call(string method, string path)
        {
            Method = new HttpMethod(method);
            target = path;
        }

        public HttpMethod Method { get; private set; }

        /// <summary>JSON; null: none.</summary>
        public string BodyText { get; set; }

        /// <summary>Makes a repeat harmless; null: the operation needs none.</summary>
        public string IdempotencyKey { get; set; }

        public string LastEventId { get; set; }

        /// <summary>True once an answer was lost, so that what was asked for may have been done.</summary>
        public bool MayBeDone { get; set; }

        /// <summary>True where the daemon refuses a repeat of what it has done, and the caller then looks.</summary>
        public bool IsRefusedTwice { get; set; }

        public bool IsChange
        {
            get { return Method != HttpMethod.Get; }
        }

        /// <summary>True if nothing is done twice, however often the request arrives.</summary>
        public bool IsRepeatable
        {
            get { return !IsChange || IdempotencyKey != null || IsRefusedTwice; }
        }

        public string Target
        {
            get { return target; }
        }

        /// <summary>Returns a value as one segment of a path. Refuses what HTTP clients fold away: nothing, "." and "..", also as %2e.</summary>
        public static string Segment(string value)
        {
            var dots = value == null ? "" : value.Replace("%2e", ".").Replace("%2E", ".");
            if (dots == "" || dots == "." || dots == "..") throw new ArgumentException("An id is missing, or is no id: '" + value + "'.");
            return Uri.EscapeDataString(value);
        }

        public Call Query(string name, object value)
        {
            if (value == null) return this;
            var text = value is bool ? ((bool)value ? "true" : "false") : value is DateTimeOffset ? Times.Write((DateTimeOffset)value) : Convert.ToString(value, CultureInfo.InvariantCulture);
            target += (target.IndexOf('?') < 0 ? "?" : "&") + name + "=" + Uri.EscapeDataString(text);
            return this;
        }

        public Call Body(IJsonBody body)
        {
            if (body == null) throw new ArgumentNullException("body");
            BodyText = JsonWriter.Write(body);
            return this;
        }

        public Call WithIdempotencyKey()
        {
            IdempotencyKey = Guid.NewGuid().ToString("N");
            return this;
        }

        /// <summary>Returns the same request for another part of a list.</summary>
        public Call At(string otherTarget)
        {
            return new Call(Method.Method, otherTarget);
        }

        public HttpRequestMessage Message(string baseUrl)
        {
            var message = new HttpRequestMessage(Method, baseUrl + target);
            message.Headers.ExpectContinue = false;
            if (BodyText != null) message.Content = new StringContent(BodyText, Encoding.UTF8, "application/json");
            else if (IsChange) message.Content = new ByteArrayContent(new byte[0]); // without content, .NET repeats it by itself after a cut
            if (IdempotencyKey != null) message.Headers.Add("Idempotency-Key", IdempotencyKey);
            if (LastEventId != null) message.Headers.Add("Last-Event-ID", LastEventId);
            return message;
        }
    }
}
