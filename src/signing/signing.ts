/**
 * Signatures of ingested events and of webhook deliveries, for sender and receiver: hex HMAC-SHA256 over timestamp and
 * raw body, and the headers of Standard Webhooks. Imports nothing else of the repository.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A timestamp may differ from the clock by this much, either way. */
export const freshnessMs = 5 * 60_000;

/** A complete time with its zone, so that no character can move between timestamp and body under the same signature. */
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const hmac = (key: string | Buffer, text: string | Buffer, prefix: string): Buffer =>
  createHmac('sha256', key).update(prefix).update(text).digest();

/** Hex digest over the timestamp immediately followed by the body, keyed with the secret. */
export const sign = (secret: string, timestamp: string, body: string | Buffer): string =>
  hmac(secret, body, timestamp).toString('hex');

/** Compares in constant time; false also for a timestamp that is no time or not fresh. */
export function verify(
  secret: string,
  timestamp: string,
  signature: string,
  body: string | Buffer,
  now: Date,
): boolean {
  const signedAt = isoTime.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(signedAt) || Math.abs(now.getTime() - signedAt) > freshnessMs) return false;
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : '', 'hex');
  const expected = hmac(secret, body, timestamp);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const standardPrefix = 'whsec_';
const newSecretBytes = 24;

/** A secret in the form that receivers of Standard Webhooks expect. */
export const newWebhookSecret = (): string => `${standardPrefix}${randomBytes(newSecretBytes).toString('base64')}`;

/** Standard Webhooks: the base64 part of a `whsec_` secret, else the secret's raw bytes. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(standardPrefix) ? Buffer.from(secret.slice(standardPrefix.length), 'base64') : Buffer.from(secret);

const standardSignature = (secret: string, id: string, seconds: string, body: string): string =>
  `v1,${hmac(standardKey(secret), body, `${id}.${seconds}.`).toString('base64')}`;

/**
 * All headers of a delivery. `id` is the event's id and the same at every attempt. During a rotation the previous
 * secret signs too: as a second signature of Standard Webhooks, and as X-Signature-Previous.
 */
export function deliveryHeaders(
  secret: string,
  id: string,
  body: string,
  now: Date,
  previousSecret: string | null = null,
): Record<string, string> {
  const timestamp = now.toISOString();
  const seconds = String(Math.floor(now.getTime() / 1000));
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    'X-Timestamp': timestamp,
    'X-Signature': sign(secret, timestamp, body),
    ...(previousSecret === null ? {} : { 'X-Signature-Previous': sign(previousSecret, timestamp, body) }),
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((one) => standardSignature(one, id, seconds, body)).join(' '),
  };
}
