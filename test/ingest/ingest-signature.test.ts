/** Signed events over HTTP: no change to a signed request is accepted, and no second lets more in than it may. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sign } from '../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { recordProof } from '../support/reliability.js';
import { published, scale, seedOr } from '../support/scale.js';

interface Signed {
  readonly timestamp: string;
  readonly signature: string;
  readonly billingProjectId: string;
  readonly rawBody: Buffer;
}
interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: number;
}

const seed = seedOr(20_260_101);
const changes = published(150, 10_000);
const acceptedPerSecond = 100;
const askedPerSecond = 300;

let daemon: TestDaemon;
let otherId: string;
const secrets = new Map<string, string>();
const secretOf = (id: string): string => secrets.get(id) ?? '';
beforeAll(async () => {
  // Failures are limited by address: each of them comes from one of its own.
  daemon = await startDaemon({ settings: { EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
  ({ id: otherId } = await daemon.admin.call(projectRoutes.create, { body: { name: 'another' } }));
  const tokenProvider = { tokenProvider: 'embedded' as const };
  await daemon.admin.call(settingsRoutes.put, { params: { projectId: otherId }, body: tokenProvider });
  for (const projectId of [daemon.projectId, otherId]) {
    await daemon.client.call(settingsRoutes.syncSecret, { params: { projectId } });
    secrets.set(projectId, (await daemon.client.call(settingsRoutes.secret, { params: { projectId } })).secret);
  }
});
afterAll(() => daemon.stop());

const bodyOf = (text: string): string =>
  JSON.stringify({
    type: 'server.started',
    resourceId: 'server:1',
    source: 'fleet:server',
    timestamp: new Date().toISOString(),
    data: { text },
  });
const signed = (body: string, timestamp = new Date().toISOString()): Signed => ({
  timestamp,
  signature: sign(secretOf(daemon.projectId), timestamp, body),
  billingProjectId: daemon.projectId,
  rawBody: Buffer.from(body),
});

let sent = 0;
async function send({ timestamp, signature, billingProjectId, rawBody }: Signed): Promise<Answer> {
  sent += 1;
  const response = await fetch(`${daemon.url}/api/events/ingest`, {
    method: 'POST',
    headers: {
      'X-Timestamp': timestamp,
      'X-Signature': signature,
      'X-Project-Id': billingProjectId,
      'X-Forwarded-For': `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
      'Content-Type': 'application/json',
    },
    body: rawBody,
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code, retryAfter: Number(response.headers.get('retry-after')) };
}

/** Each takes a valid request and numbers to choose by, and returns one that nobody has signed. */
const mutations: readonly ((request: Signed, at: number, by: number) => Signed)[] = [
  (request, at, by) => {
    const rawBody = Buffer.from(request.rawBody);
    const index = at % rawBody.length;
    rawBody[index] = (rawBody[index] ?? 0) ^ (1 << (by % 8));
    return { ...request, rawBody };
  },
  (request, at) => ({ ...request, rawBody: request.rawBody.subarray(0, at % request.rawBody.length) }),
  (request, at) => ({ ...request, rawBody: Buffer.concat([request.rawBody, Buffer.alloc(1 + (at % 3), ' ')]) }),
  (request, at, by) => {
    const index = at % 64;
    const digit = (Number.parseInt(request.signature[index] ?? '0', 16) + 1 + (by % 15)) % 16;
    const signature = request.signature.slice(0, index) + digit.toString(16) + request.signature.slice(index + 1);
    return { ...request, signature };
  },
  (request, at) => ({ ...request, signature: request.signature.slice(0, 1 + (at % 63)) }),
  (request, _, by) => ({ ...request, signature: request.signature + by.toString(16) }),
  (request) => ({ ...request, billingProjectId: otherId }),
  (request) => ({ ...request, billingProjectId: 'nobody' }),
  (request) => ({ ...request, signature: sign(secretOf(otherId), request.timestamp, request.rawBody) }),
  // The same instant, written otherwise.
  (request) => ({ ...request, timestamp: request.timestamp.replace('Z', '+00:00') }),
  (request) => ({ ...request, timestamp: request.timestamp.replace('Z', '0Z') }),
  (request, at) => ({ ...request, timestamp: new Date(Date.parse(request.timestamp) + 1 + at).toISOString() }),
  // Signed well, but too long ago or too far ahead.
  ({ rawBody }, at, by) =>
    signed(rawBody.toString(), new Date(Date.now() + (by % 2 === 0 ? 1 : -1) * (310_000 + at)).toISOString()),
  // Characters pushed over the border between timestamp and body: the signed text is the same.
  (request, at) => {
    const count = 1 + (at % (request.timestamp.length - 1));
    const pushed = request.timestamp.slice(-count);
    return {
      ...request,
      timestamp: request.timestamp.slice(0, -count),
      rawBody: Buffer.concat([Buffer.from(pushed), request.rawBody]),
    };
  },
  (request, at) => {
    const count = 1 + (at % 20);
    return {
      ...request,
      timestamp: request.timestamp + request.rawBody.subarray(0, count).toString(),
      rawBody: request.rawBody.subarray(count),
    };
  },
];

describe('a signed event', () => {
  it('is accepted as it was signed', async () => {
    expect(await send(signed(bodyOf('as it is')))).toMatchObject({ status: 201 });
  });

  it('is refused after any change', { timeout: 600_000 }, async () => {
    const change = fc.tuple(
      fc.string({ maxLength: 40 }),
      fc.nat(mutations.length - 1),
      fc.nat(100_000),
      fc.nat(100_000),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([text, which, at, by]) => {
        const request = signed(bodyOf(text));
        const answer = await send(mutations[which]?.(request, at, by) ?? request);
        expect(answer).toMatchObject({ status: 401, code: 'signature_invalid' });
      }),
      { numRuns: changes, seed },
    );
    recordProof({ promise: 'signatures', count: changes, seed, worst: '0 accepted' });
  });

  it('is one of at most a hundred in any second while three hundred are sent', { timeout: 300_000 }, async () => {
    await sleep(1_000); // what was accepted before counts no more
    const accepted: { sentAt: number; answeredAt: number }[] = [];
    const refusals: Answer[] = [];
    const underWay: Promise<void>[] = [];
    const began = performance.now();
    const endMs = began + scale(2, 60) * 1_000;
    for (let index = 0; performance.now() < endMs; index += 1) {
      await sleep(began + (index * 1_000) / askedPerSecond - performance.now());
      const sentAt = performance.now();
      const asked = send(signed(bodyOf(`number ${index}`))).then((answer) => {
        if (answer.status === 201) accepted.push({ sentAt, answeredAt: performance.now() });
        else refusals.push(answer);
      });
      underWay.push(asked);
    }
    await Promise.all(underWay);
    for (const { status, code, retryAfter } of refusals) {
      expect({ status, code }).toEqual({ status: 429, code: 'rate_limited' });
      expect(retryAfter).toBeGreaterThanOrEqual(1);
    }
    // Sent and answered within one second is accepted within one second.
    for (const { sentAt: from } of accepted) {
      const within = accepted.filter(({ sentAt, answeredAt }) => sentAt >= from && answeredAt < from + 1_000);
      expect(within.length).toBeLessThanOrEqual(acceptedPerSecond);
    }
    expect(accepted.length).toBeGreaterThanOrEqual(Math.min(acceptedPerSecond, underWay.length));
    const mostly = (performance.now() - began) / 1_000 + 1;
    expect(accepted.length).toBeLessThanOrEqual(mostly * acceptedPerSecond);
    await sleep(1_000);
    expect(await send(signed(bodyOf('a second later')))).toMatchObject({ status: 201 });
  });
});
