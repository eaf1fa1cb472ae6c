using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Earshot
{
    /// <summary>Checks that a webhook comes from your daemon, by its headers (Standard Webhooks: webhook-id, -timestamp, -signature).</summary>
    public sealed class WebhookVerifier
    {
        private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);
        private readonly byte[] key;
        private readonly Func<DateTimeOffset> now;

        /// <param name="secret">Secret of the subscription: after `whsec_` base64, else text.</param>
        /// <param name="now">Clock; null: that of the machine.</param>
        public WebhookVerifier(string secret, Func<DateTimeOffset> now = null)
        {
            if (string.IsNullOrEmpty(secret)) throw new ArgumentException("The secret of the webhook is missing.");
            const string prefix = "whsec_";
            key = secret.StartsWith(prefix, StringComparison.Ordinal) ? Convert.FromBase64String(secret.Substring(prefix.Length)) : Encoding.UTF8.GetBytes(secret);
            this.now = now ?? (() => DateTimeOffset.UtcNow);
        }

        /// <summary>
        /// Returns true if the body is signed with the secret and was sent within five minutes. A webhook that was delivered before has the
        /// same `id`: take each id once.
        /// </summary>
        /// <param name="body">Bytes of the body as they came.</param>
        public bool IsGenuine(string id, string timestamp, string signature, byte[] body)
        {
            long seconds;
            if (id == null || signature == null || !long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out seconds)) return false;
            if (seconds > 253402300799 || (now() - DateTimeOffset.FromUnixTimeSeconds(seconds)).Duration() > Tolerance) return false;
            var head = Encoding.UTF8.GetBytes(id + "." + timestamp + ".");
            var signed = new byte[head.Length + body.Length];
            head.CopyTo(signed, 0);
            body.CopyTo(signed, head.Length);
            string wanted;
            using (var hmac = new HMACSHA256(key)) wanted = "v1," + Convert.ToBase64String(hmac.ComputeHash(signed));
            foreach (var given in signature.Split(' '))
                if (IsEqual(given, wanted)) return true;
            return false;
        }

        /// <summary>Compares in a time that does not depend on where the first difference is.</summary>
        private static bool IsEqual(string given, string wanted)
        {
            if (given.Length != wanted.Length) return false;
            var difference = 0;
            for (var at = 0; at < given.Length; at += 1) difference |= given[at] ^ wanted[at];
            return difference == 0;
        }
    }
}
