/** Deliveries of a daemon, verified by the library `standardwebhooks` of Java and Rust; the game servers do so in Go and Python. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.js';

const installed = fileURLToPath(new URL('.installed/', import.meta.url));
const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  Java: ['java', '-cp', `${installed}java:${installed}standardwebhooks-1.1.1.jar`, 'Verify'],
  Rust: [`${installed}rust/debug/verify`],
};
const secret = `whsec_${randomBytes(32).toString('base64')}`;

let daemon: TestDaemon;
let receiver: Receiver;
let delivery: Received;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
  const params = { projectId: daemon.projectId };
  const subscription = { url: receiver.url, secret, events: ['sanction.*'] };
  await daemon.client.call(routes.webhooks.create, { params, body: subscription });
  const body = { type: 'mute', externalUserId: 'ann', duration: 60, reason: 'shouting, très fort' } as const;
  await daemon.client.call(routes.sanctions.create, { params, body });
  [delivery] = (await receiver.waitFor(1)) as [Received];
});
afterAll(async () => {
  await daemon?.stop();
  await receiver?.stop();
});

describe.each(Object.entries(programs))('standardwebhooks for %s', (_, [program, ...args]) => {
  const verify = (body: string, changed: Readonly<Record<string, string>> = {}, key = secret) => {
    const headers = { ...delivery.headers, ...changed };
    const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name] ?? '');
    const { stdout, stderr } = spawnSync(program, [...args, key, ...given], { input: body, encoding: 'utf8' });
    return (stdout + stderr).trim();
  };

  it('verifies a delivery', () => {
    expect(delivery.body).toContain('très fort');
    expect(verify(delivery.body)).toBe('verified');
  });

  it.each([
    ['another body', () => verify(delivery.body.replace('ann', 'bob'))],
    ['another id', () => verify(delivery.body, { 'webhook-id': 'another' })],
    ['another secret', () => verify(delivery.body, {}, `whsec_${randomBytes(32).toString('base64')}`)],
    ['an old delivery', () => verify(delivery.body, { 'webhook-timestamp': '1700000000' })],
  ])('refuses %s', (_name, attempt) => {
    expect(attempt()).toMatch(/^refused: /);
  });
});
