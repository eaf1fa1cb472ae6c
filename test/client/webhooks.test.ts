/** verifyWebhook against the signatures of the Standard Webhooks library, and of the daemon. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { DomainEvent } from '../../src/contract/events.js';
import { deliveryHeaders } from '../../src/signing/signing.js';
import { verifyWebhook, WebhookRefused } from '../../src/signing/verify-webhook.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const now = new Date('2026-01-01T12:00:00.000Z');
const id = '019b7a5e-0000-7000-8000-000000000001';
const event = {
  ...{ id, type: 'sanction.created', source: 'cortex:api', tenantId: 't', resourceId: 'sanction:1' },
  ...{ timestamp: now.toISOString(), payload: { action: 'created', data: { id: '1', reason: 'schön laut' } } },
};
const body = JSON.stringify(event);
const signed = (text = body, at = now, key = secret) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(key).sign(id, at, text),
});
const shifted = (ms: number) => new Date(now.getTime() + ms);
const other = `whsec_${Buffer.from('some other secret of that length').toString('base64')}`;

describe('verifyWebhook', () => {
  it('gives the event that any Standard Webhooks library has signed', async () => {
    expect(await verifyWebhook(body, signed(), secret, now)).toEqual(event);
  });

  it('takes a byte order mark for a part of the body, as the signature does', async () => {
    const marked = `\ufeff${body}`;
    const headers = signed(marked);
    await expect(verifyWebhook(marked, headers, secret, now)).rejects.toThrow('The body is not an event');
    await expect(verifyWebhook(Buffer.from(marked), headers, secret, now)).rejects.toThrow('The body is not an event');
    await expect(verifyWebhook(Buffer.from(marked), signed(), secret, now)).rejects.toThrow('No signature matches');
  });

  it.each([
    ['bytes', () => verifyWebhook(Buffer.from(body), signed(), secret, now)],
    ['the headers of fetch', () => verifyWebhook(body, new Headers(signed()), secret, now)],
    ['headers that may come twice', () => verifyWebhook(body, { ...signed(), 'webhook-id': [id] }, secret, now)],
    ['a delivery of the daemon', () => verifyWebhook(body, lower(deliveryHeaders(secret, id, body, now)), secret, now)],
    [
      'a secret that is no base64',
      () => verifyWebhook(body, lower(deliveryHeaders('plain', id, body, now)), 'plain', now),
    ],
    ['the old secret', () => verifyWebhook(body, lower(deliveryHeaders(other, id, body, now, secret)), secret, now)],
    ['the new secret', () => verifyWebhook(body, lower(deliveryHeaders(other, id, body, now, secret)), other, now)],
    ['a clock five minutes ahead', () => verifyWebhook(body, signed(), secret, shifted(300_000))],
  ])('takes %s', async (_, verifying) => {
    expect((await verifying()).id).toBe(id);
  });

  it.each([
    ['a changed body', () => verifyWebhook(body.replace('laut', 'leise'), signed(), secret, now)],
    ['another id', () => verifyWebhook(body, { ...signed(), 'webhook-id': 'x' }, secret, now)],
    ['another secret', () => verifyWebhook(body, signed(), other, now)],
    ['no headers', () => verifyWebhook(body, {}, secret, now)],
    ['no signature', () => verifyWebhook(body, { ...signed(), 'webhook-signature': '' }, secret, now)],
    ['no base64', () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,§' }, secret, now)],
    ['another version', () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v2,AAAA' }, secret, now)],
    ['a time that is none', () => verifyWebhook(body, { ...signed(), 'webhook-timestamp': '1e9' }, secret, now)],
    ['an old delivery', () => verifyWebhook(body, signed(), secret, shifted(301_000))],
    ['one from the future', () => verifyWebhook(body, signed(), secret, shifted(-301_000))],
    ['an empty secret', () => verifyWebhook(body, signed(), '', now)],
    ['a body that is no event', () => verifyWebhook('{"id":"1"}', signed('{"id":"1"}'), secret, now)],
    ['a body that is no JSON', () => verifyWebhook('laut', signed('laut'), secret, now)],
  ])('refuses %s', async (_, verifying) => {
    await expect(verifying()).rejects.toThrow(WebhookRefused);
  });
});

describe('earshot/verify', () => {
  const bytesMax = 15_000;

  it('takes at most 15 kB of a page that verifies alone', async () => {
    const input = fileURLToPath(new URL('../../src/signing/verify-webhook.ts', import.meta.url));
    const { output } = await build({ input, platform: 'browser', write: false, output: { minify: true } });
    expect(output).toHaveLength(1);
    expect(output[0].exports).toContain('verifyWebhook');
    expect(gzipSync(output[0].code).length).toBeLessThan(bytesMax);
  });

  const required = Object.keys(event) as (keyof typeof event)[];
  it.each(required)('refuses an event without %s, as the schema does', async (name) => {
    const { [name]: _, ...rest } = event;
    const text = JSON.stringify(rest);
    expect(DomainEvent.safeParse(rest).success).toBe(false);
    await expect(verifyWebhook(text, signed(text), secret, now)).rejects.toThrow('The body is not an event');
  });

  it.each([
    'null',
    '[]',
    '"text"',
    '{"externalUserId":"u1","type":"mute"}',
    JSON.stringify({ ...event, payload: null }),
  ])('refuses %s', async (text) => {
    await expect(verifyWebhook(text, signed(text), secret, now)).rejects.toThrow('The body is not an event');
  });
});

/** Lowers the names of headers, as Node.js does. */
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
