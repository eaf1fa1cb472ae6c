import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { CreateWebhookSubscriptionRequest } from '../../../src/contract/webhooks/webhooks.js';
import { deliveryHeaders, sign, verify } from '../../../src/signing/signing.js';
import { verifyWebhook, WebhookRefused } from '../../../src/signing/verify-webhook.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const prefix = 'whsec_';
const signatureHeader = 'webhook-signature';

interface Delivery {
  readonly secret: string;
  readonly previous: string;
  readonly id: string;
  /** A header as a stranger would send it. */
  readonly forged: string;
  readonly body: string;
}

/** Five lines and more: the secrets, the id, a forged header and the body. */
function read(input: Buffer): Delivery {
  const [secret = '', previous = '', id = '', forged = '', ...body] = input.toString('utf8').split('\n');
  return { secret, previous, id, forged, body: body.join('\n') };
}

/** Why it is refused; null: it is an event. */
async function refusalOf(...[body, headers, secret, now]: Parameters<typeof verifyWebhook>): Promise<string | null> {
  try {
    await verifyWebhook(body, headers, secret, now);
    return null;
  } catch (error) {
    if (error instanceof WebhookRefused) return error.message;
    throw error;
  }
}

const isNoEvent = (refusal: string | null): boolean =>
  refusal === null || refusal.startsWith('The body is not an event');

/** The verdict of the reference library; null: it cannot use the secret. */
function standardAccepts(body: string, headers: Record<string, string>, secret: string): boolean | null {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch (error) {
    return error instanceof WebhookVerificationError ? false : null;
  }
}

async function checkDelivery({ secret, previous, id, forged, body }: Delivery): Promise<void> {
  const now = new Date();
  const headers = deliveryHeaders(secret, id, body, now, previous === '' ? null : previous);
  const refusal = await refusalOf(body, headers, secret, now);
  const isUsable = CreateWebhookSubscriptionRequest.shape.secret.safeParse(secret).success;
  if (isUsable && id !== '')
    hold(isNoEvent(refusal), 'A receiver takes what the daemon has signed.', refusal, headers, secret);
  hold(
    (await refusalOf(Buffer.from(body), headers, secret, now)) === refusal,
    'Bytes and text are one body.',
    body,
    refusal,
  );
  if (secret.startsWith(prefix) && id !== '' && isUsable)
    hold(standardAccepts(body, headers, secret) === true, 'The reference library takes it too.', headers, secret);
  const stolen = { ...headers, [signatureHeader]: forged };
  hold(!isNoEvent(await refusalOf(body, stolen, secret, now)), 'Nothing else is a signature.', forged);
  const late = new Date(now.getTime() + 6 * 60_000);
  hold(!isNoEvent(await refusalOf(body, headers, secret, late)), 'A signature ends after five minutes.');
}

function checkSignature({ secret, forged, body }: Delivery): void {
  const now = new Date('2026-01-01T00:00:00Z');
  const timestamp = now.toISOString();
  const signature = sign(secret, timestamp, body);
  hold(verify(secret, timestamp, signature, body, now), 'What is signed is verified.');
  hold(!verify(secret, timestamp, forged, body, now), 'Nothing else is a signature.', forged);
  const own = sign(secret, forged, body);
  if (!verify(secret, forged, own, body, now)) return;
  for (let at = 1; at < Math.min(40, body.length); at += 1)
    hold(
      !verify(secret, forged + body.slice(0, at), own, body.slice(at), now),
      'No character moves between timestamp and body.',
      forged,
      body,
    );
}

/** Signatures of webhook deliveries and of ingested events. */
export const signatures: FuzzTarget = {
  name: 'signatures',
  maxBytes: 256 * 1024,
  parse: (input) => {
    const { secret, id, forged, body } = read(input);
    const headers = { 'webhook-id': id, 'webhook-timestamp': '1767225600', 'webhook-signature': forged };
    return refusalOf(body, headers, secret, new Date('2026-01-01T00:00:00Z'));
  },
  async check(input) {
    const delivery = read(input);
    await checkDelivery(delivery);
    checkSignature(delivery);
  },
  seeds: [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n\n01a1fdfa\nv1,AAAA\n{"id":"x"}',
    'a secret of somebody\nwhsec_AAAABBBBCCCCDDDD\nid\nv1, v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,x\n{}',
    's\n\ni\n2026-01-01T00:00:00Z\n"\ufeff"',
    'a secret\n\nid\n2026-01-01T00:00:00.5+01:00\n' +
      '{"id":"1","type":"room.opened","source":"earshot","tenantId":"t","resourceId":"room:1","timestamp":"2026-01-01T00:00:00.000Z","payload":{"action":"created","data":{}}}',
  ],
  words: [
    'whsec_',
    'v1,',
    'v1',
    ' ',
    ',',
    '=',
    '==',
    '2026-01-01T00:00:00Z',
    '+01:00',
    '.',
    '\n',
    '\ufeff',
    '{',
    '}',
    '-',
    '_',
  ],
};
