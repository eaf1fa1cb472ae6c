using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Earshot
{
    /// <summary>
    /// Events that go in one request, one line of JSON each, in a file or in memory. Once its sending has begun, nothing is added: the
    /// daemon knows an event again by the key of its batch and its place in it.
    /// </summary>
    internal sealed class EventBatchFile
    {
        private const string Extension = ".jsonl";
        private readonly string path;
        private readonly List<string> lines;
        private FileStream stream;

        private EventBatchFile(long number, string key, string path)
        {
            Number = number;
            Key = key;
            this.path = path;
            lines = path == null ? new List<string>() : null;
        }

        /// <summary>Position among the batches of the folder.</summary>
        public long Number { get; private set; }

        public string Key { get; private set; }

        public int Count { get; private set; }

        public long Bytes { get; private set; }

        public bool IsSealed { get; private set; }

        public DateTime BeganAt { get; private set; }

        /// <param name="folder">null: in memory</param>
        /// <exception cref="IOException">The file cannot be made.</exception>
        public static EventBatchFile Create(string folder, long number)
        {
            var key = Guid.NewGuid().ToString("N");
            var path = folder == null ? null : Path.Combine(folder, number.ToString("D10") + "-" + key + Extension);
            var batch = new EventBatchFile(number, key, path) { BeganAt = DateTime.UtcNow };
            if (path != null) batch.stream = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read);
            return batch;
        }

        /// <summary>Returns the batches that an earlier run has left, oldest first. A line that it did not finish is cut off.</summary>
        public static IEnumerable<EventBatchFile> Left(string folder)
        {
            foreach (var path in Directory.GetFiles(folder, "*" + Extension).OrderBy(name => name, StringComparer.Ordinal))
            {
                var parts = Path.GetFileNameWithoutExtension(path).Split('-');
                long number;
                if (parts.Length != 2 || !long.TryParse(parts[0], out number)) continue;
                var batch = new EventBatchFile(number, parts[1], path) { IsSealed = true };
                var content = File.ReadAllBytes(path);
                batch.Count = content.Count(one => one == '\n');
                batch.Bytes = Array.LastIndexOf(content, (byte)'\n') + 1;
                if (batch.Bytes < content.Length)
                    using (var file = new FileStream(path, FileMode.Open, FileAccess.Write)) file.SetLength(batch.Bytes);
                if (batch.Count > 0) yield return batch;
                else File.Delete(path);
            }
        }

        /// <summary>Adds an event; it is with the operating system when this returns, so it outlives the game.</summary>
        /// <exception cref="IOException">The disk took nothing.</exception>
        public void Append(string line)
        {
            var bytes = Encoding.UTF8.GetBytes(line + "\n");
            if (lines != null) lines.Add(line);
            else
            {
                stream.Write(bytes, 0, bytes.Length);
                stream.Flush();
            }
            Count += 1;
            Bytes += bytes.Length;
        }

        public void Seal()
        {
            IsSealed = true;
            if (stream == null) return;
            try
            {
                stream.Dispose();
            }
            catch (IOException)
            {
                // what was appended is there; what failed was never counted
            }
            stream = null;
        }

        /// <exception cref="IOException">The file cannot be read.</exception>
        public List<string> Lines()
        {
            return lines ?? File.ReadLines(path).Take(Count).ToList();
        }

        public void Delete()
        {
            Seal();
            if (path != null) File.Delete(path);
        }
    }
}
