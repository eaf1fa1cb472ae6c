/** Signed events: no change to a signed request is accepted, and no second lets more in than it may. */
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventLog } from '../../daemon/events/log.js';
import { LocalWakeUps } from '../../daemon/events/wake-ups.js';
import { IngestService } from '../../daemon/features/events/ingest.js';
import type { SignedRequest } from '../../daemon/http/authentication.js';
import { sign } from '../../src/signing.js';
import { openSqlite, type TestDatabase } from '../support/database.js';
import { scale } from '../support/scale.js';

const now = new Date('2026-01-01T12:00:00.000Z');
const projects = new Map(
  ['p1', 'p2'].map((id) => [id, { projectId: id, tenantId: 't', secret: `secret of ${id}`.padEnd(64, '0') }]),
);
const secretOf = (id: string): string => projects.get(id)?.secret ?? '';
let opened: TestDatabase;
let log: EventLog;
let elapsedMs = 0;
let ingest: IngestService;
beforeAll(async () => {
  opened = await openSqlite();
  log = new EventLog(opened.database, new LocalWakeUps(), () => now);
  await log.start();
  ingest = new IngestService(
    opened.database,
    log,
    { byBillingId: async (id) => projects.get(id) ?? null },
    () => now,
    () => elapsedMs,
  );
});
afterAll(() => opened.close());

const event = {
  type: 'server.started',
  resourceId: 'server:1',
  source: 'fleet:server' as const,
  timestamp: now.toISOString(),
  data: { region: 'eu' },
};
const signed = (body: string, timestamp = now.toISOString()): SignedRequest => ({
  timestamp,
  signature: sign(secretOf('p1'), timestamp, body),
  billingProjectId: 'p1',
  rawBody: Buffer.from(body),
  address: uuidv7(), // failures are limited by address
});

/** Each takes a valid request and numbers to choose by, and returns one that nobody has signed. */
const mutations: readonly ((request: SignedRequest, at: number, by: number) => SignedRequest)[] = [
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
  (request, at) => ({ ...request, signature: request.signature.slice(0, at % 64) }),
  (request, _, by) => ({ ...request, signature: request.signature + by.toString(16) }),
  (request) => ({ ...request, billingProjectId: 'p2' }),
  (request) => ({ ...request, billingProjectId: 'nobody' }),
  (request) => ({ ...request, signature: sign(secretOf('p2'), request.timestamp, request.rawBody) }),
  // The same instant, written otherwise.
  (request) => ({ ...request, timestamp: request.timestamp.replace('Z', '+00:00') }),
  (request) => ({ ...request, timestamp: request.timestamp.replace('.000', '') }),
  (request, at) => ({ ...request, timestamp: new Date(Date.parse(request.timestamp) + 1 + at).toISOString() }),
  // Signed well, but too long ago or too far ahead.
  ({ rawBody }, at, by) =>
    signed(rawBody.toString(), new Date(now.getTime() + (by % 2 === 0 ? 1 : -1) * (300_001 + at)).toISOString()),
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
    await expect(ingest.verify(signed(JSON.stringify(event)))).resolves.toMatchObject({ projectId: 'p1' });
  });

  it('is refused after any change', { timeout: 300_000 }, async () => {
    const change = fc.tuple(
      fc.string({ maxLength: 40 }),
      fc.nat(mutations.length - 1),
      fc.nat(100_000),
      fc.nat(100_000),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([text, which, at, by]) => {
        const request = signed(JSON.stringify({ ...event, data: { text } }));
        const mutated = mutations[which]?.(request, at, by) ?? request;
        await expect(ingest.verify(mutated)).rejects.toMatchObject({ status: 401, code: 'signature_invalid' });
      }),
      { numRuns: scale(3_000, 10_000), seed: 20_260_101 },
    );
  });

  it('is one of exactly a hundred a second while three hundred are sent', { timeout: 300_000 }, async () => {
    const seconds = scale(3, 60);
    const accepted: number[] = [];
    for (let sent = 0; sent < seconds * 300; sent += 1) {
      elapsedMs = (sent * 1_000) / 300;
      const caller = { ...(await ingest.verify(signed(JSON.stringify(event)))), credentialId: `signature ${sent}` };
      const outcome = await ingest.ingest(event, caller).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'rate_limited' });
      else accepted.push(elapsedMs);
    }
    expect(accepted).toHaveLength(seconds * 100);
    for (const [index, at] of accepted.entries())
      expect((accepted[index + 100] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(1_000);
    expect(await log.head()).toBe(BigInt(seconds * 100));
  });
});
