using System;
using System.Collections.Generic;
using System.Text;

namespace Earshot
{
    internal struct SseFrame
    {
        /// <summary>`message` where the frame has no name.</summary>
        public string Name;
        public string Data;
        /// <summary>The last id that the stream has named; null: none yet.</summary>
        public string Id;
    }

    /// <summary>Cuts the bytes of a stream into server-sent events, by the rules of the HTML standard.</summary>
    internal sealed class SseParser
    {
        private const int MaxFrame = 4 * 1024 * 1024;
        private readonly Decoder decoder = new UTF8Encoding(false).GetDecoder();
        private readonly StringBuilder line = new StringBuilder();
        private readonly StringBuilder data = new StringBuilder();
        private readonly char[] characters = new char[Encoding.UTF8.GetMaxCharCount(16 * 1024)];
        private string name = "";
        private string id;
        private bool hasData;
        private bool isFirst = true;
        private bool isAfterReturn;

        /// <exception cref="UnreadableAnswerException">One event is larger than 4 Mi characters.</exception>
        public IEnumerable<SseFrame> Read(byte[] bytes, int count)
        {
            var length = decoder.GetChars(bytes, 0, count, characters, 0);
            for (var at = 0; at < length; at += 1)
            {
                var character = characters[at];
                if (isFirst && character == '\uFEFF')
                {
                    isFirst = false;
                    continue;
                }
                isFirst = false;
                var isSecondOfTwo = character == '\n' && isAfterReturn;
                isAfterReturn = character == '\r';
                if (isSecondOfTwo) continue;
                if (character != '\n' && character != '\r')
                {
                    if (line.Length + data.Length >= MaxFrame) throw new UnreadableAnswerException("An event of the stream is too large.", null);
                    line.Append(character);
                    continue;
                }
                var text = line.ToString();
                line.Clear();
                if (text != "") Field(text);
                else if (hasData) yield return Frame();
                else name = "";
            }
        }

        private void Field(string text)
        {
            var colon = text.IndexOf(':');
            if (colon == 0) return; // a comment: the heartbeat
            var field = colon < 0 ? text : text.Substring(0, colon);
            var value = colon < 0 ? "" : text.Substring(colon + 1);
            if (value.StartsWith(" ", StringComparison.Ordinal)) value = value.Substring(1);
            if (field == "event") name = value;
            else if (field == "id" && value.IndexOf('\0') < 0) id = value;
            else if (field == "data")
            {
                if (hasData) data.Append('\n');
                data.Append(value);
                hasData = true;
            }
        }

        private SseFrame Frame()
        {
            var frame = new SseFrame { Name = name == "" ? "message" : name, Data = data.ToString(), Id = id };
            data.Clear();
            hasData = false;
            name = "";
            return frame;
        }
    }
}
