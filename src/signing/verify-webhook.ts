/**
 * Checks that a webhook delivery comes from the daemon, and returns its event. It uses Standard Webhooks and Web
 * Crypto, so it runs in Node.js and at the edge. It
 * imports nothing at run time, so that a page or a worker that only verifies stays small.
 */
import type { EarshotEvent } from '../contract/events.js';

/** A delivery may be this much older or newer than the clock of the receiver. */
const freshnessMs = 5 * 60_000;

/** The signature is wrong or too old. Answer 400 and do nothing. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
}

/** Headers in the form of `fetch`, Express or `node:http`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a delivery, once its signature is found right. `body` is the body as it came, byte for byte: parse nothing
 * before. `secret` is the subscription's, with its `whsec_`. The id of the event is the same at every attempt; keep the
 * ids that you have handled. Throws WebhookRefused.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  now = new Date(),
): Promise<EarshotEvent> {
  const [id, seconds, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !seconds || !signatures) throw new WebhookRefused('The headers of a webhook are missing.');
  const age = now.getTime() - Number(seconds) * 1000;
  if (!/^\d+$/.test(seconds) || Math.abs(age) > freshnessMs)
    throw new WebhookRefused(
      'The delivery was not signed within the last five minutes. Is the clock of this machine correct?',
    );
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (!(await isSigned(`${id}.${seconds}.${text}`, signatures, secret)))
    throw new WebhookRefused(
      'No signature matches the secret. Is it the secret of this subscription, and is the body unchanged?',
    );
  const event = jsonOf(text);
  if (isEvent(event)) return event;
  throw new WebhookRefused('The body is not an event. Set the payload format of the subscription to `event`.');
}

/**
 * Looks at the envelope alone: what the daemon signed is its word. The schema of events would look more closely, and is
 * twenty times as large as all of this.
 */
function isEvent(value: unknown): value is EarshotEvent {
  const { id, type, source, tenantId, resourceId, timestamp, payload } = Object(value) as Record<string, unknown>;
  const isText = [id, type, source, tenantId, resourceId, timestamp].every((field) => typeof field === 'string');
  return isText && typeof (Object(payload) as Record<string, unknown>).action === 'string';
}

function headerOf(headers: WebhookHeaders, name: string): string | null | undefined {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'object' ? value?.[0] : value;
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

/** While a secret is being rotated, a delivery carries two signatures; one has to match. */
async function isSigned(signed: string, signatures: string, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyBytes(secret), algorithm, false, ['verify']);
  const bytes = new TextEncoder().encode(signed);
  for (const one of signatures.split(' ')) {
    const signature = one.startsWith('v1,') ? fromBase64(one.slice(3)) : null;
    if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, bytes))) return true;
  }
  return false;
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const prefix = 'whsec_';
  const key = secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : new TextEncoder().encode(secret);
  if (key === null || key.length === 0)
    throw new WebhookRefused('The secret is empty, or not whsec_ followed by base64.');
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
