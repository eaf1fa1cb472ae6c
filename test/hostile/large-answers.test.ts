/**
 * Answers that are as large as a tenant can make them: pages of people with 250 KiB of data each, asked for many at a time and
 * never read, whole transcripts, and searches with what was said around each of a hundred messages.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRecordRoutes } from '../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';

const people = scale(12, 200);
const messages = scale(120, 2_000);
/** Each names 32 people: at full scale more than one answer holds. */
const batches = scale(8, 170);
const connections = scale(12, 40);
const searches = scale(6, 30);
const pageBytesMax = 2.2 * 1024 * 1024;
const growthMaxMib = 400;
const heldMs = scale(1_000, 2_000);

const daemon = new DaemonProcess(
  { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_ADDRESS: '0' },
  rentedMachine,
);
let key = '';
let client: EarshotClient;
let project = '';
let session = '';
beforeAll(async () => {
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  const scopes = ['participants', 'messages', 'sessions', 'sanctions', 'audit:read', 'plugins', 'gameplay'] as const;
  ({ key } = await admin.call(apiKeyRoutes.create, { body: { name: 'large', scopes: [...scopes] } }));
  client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
  const params = { projectId: (await admin.call(projectRoutes.list, {}))[0]?.id ?? '' };
  project = `/api/projects/${params.projectId}`;
  const userData = { filled: 'x'.repeat(250 * 1024) };
  await someAtOnce(people, (n) =>
    client.call(participantRoutes.create, { params, body: { externalUserId: `large${n}`, userData } }),
  );
  const { id } = await client.call(sessionRoutes.create, { params, body: { title: 'loud', externalRoomId: 'loud' } });
  session = `${project}/sessions/${id}`;
  const content = `shout ${'long words '.repeat(350)}`;
  await someAtOnce(messages, () =>
    client.call(sessionRoutes.say, { params: { ...params, id }, body: { externalUserId: 'large0', content } }),
  );
}, 240_000);
afterAll(() => daemon.dispose());

function residentMib(): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

interface Answered {
  readonly entries: readonly object[];
}

async function get(path: string) {
  const response = await fetch(daemon.url + path, { headers: { 'X-API-Key': key } });
  const text = await response.text();
  return { status: response.status, link: response.headers.get('link'), bytes: text.length, body: JSON.parse(text) };
}

async function leaveUnread(path: string): Promise<net.Socket> {
  const { hostname, port } = new URL(daemon.url);
  const socket = net
    .connect(Number(port), hostname)
    .on('error', () => {})
    .pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
  return socket;
}

describe('answers as large as they can be made', { timeout: 240_000 }, () => {
  it.each<[title: string, path: () => string]>([
    ['pages of people', () => `${project}/participants?limit=200`],
    ['whole transcripts', () => `${session}/messages`],
    ['searches with what was said around', () => `${project}/messages/search?q=shout&context=true&limit=100`],
  ])('%s, never read, take little memory', async (title, path) => {
    const before = residentMib();
    const { memoryMib } = await watchingHealth(daemon, `${connections} unread answers: ${title}`, async () => {
      const sockets = await Promise.all(Array.from({ length: connections }, () => leaveUnread(path())));
      await sleep(heldMs);
      for (const socket of sockets) socket.destroy();
    });
    expect(memoryMib - before).toBeLessThan(growthMaxMib);
  });

  it('searches, many at once, keep nobody else waiting', async () => {
    const path = `${project}/messages/search?q=shout&context=true&limit=100`;
    await watchingHealth(daemon, `${searches} searches at once with what was said around`, async () => {
      const answers = await Promise.all(Array.from({ length: searches }, () => get(path)));
      expect(answers.filter(({ status }) => ![200, 429].includes(status))).toEqual([]);
      expect(Math.max(...answers.map(({ bytes }) => bytes))).toBeLessThan(pageBytesMax);
    });
  });
});

describe('a list', { timeout: 60_000 }, () => {
  const refused = (path: string) => get(path).then(({ status }) => status === 429);
  const whenAllowed = async (path: string) => {
    while (await refused(path)) await sleep(100);
    return get(path);
  };

  it.each(['Link', 'next'])('of objects ends at 2 MiB, and %s goes on until everybody was there', async (by) => {
    const first = `${project}/participants?limit=200&search=large`;
    const seen: string[] = [];
    let path: string | null = first;
    for (let pages = 0; path !== null; pages += 1) {
      const { bytes, link, body } = await whenAllowed(path);
      expect(bytes).toBeLessThan(pageBytesMax);
      expect(body).toMatchObject({ total: people, limit: 200 });
      for (const { externalUserId } of body.participants) seen.push(externalUserId);
      const linked: string | null = /^<(.+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
      const cursor = linked === null ? undefined : new URLSearchParams(linked.split('?')[1]).get('after');
      expect(body.nextAfter).toBe(cursor);
      const isCounted = linked !== null && (pages === 0 || by === 'next');
      expect(body.next).toBe(isCounted ? seen.length : undefined);
      path = linked === null || by === 'Link' ? linked : `${first}&offset=${body.next}`;
      expect(pages).toBeLessThan(people);
    }
    expect(new Set(seen).size).toBe(people);
    expect(seen).toHaveLength(people);
  });

  it('that is an array ends there too, and Link goes on', async () => {
    const seen: string[] = [];
    for (let path: string | null = `${session}/messages`; path !== null; ) {
      const { bytes, link, body } = await whenAllowed(path);
      expect(bytes).toBeLessThan(pageBytesMax);
      for (const { id } of body) seen.push(id);
      path = /^<(.+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
    }
    expect(new Set(seen).size).toBe(messages);
  });

  /** Reads on by `next` of the answer, or by its Link, until the end. */
  const idsOf = async (
    first: string,
    rows: (body: Answered) => readonly object[],
    cursor = false,
  ): Promise<string[]> => {
    const seen: string[] = [];
    for (let path: string | null = first; path !== null; ) {
      const { status, bytes, link, body } = await whenAllowed(path);
      expect(status, path).toBe(200);
      expect(bytes).toBeLessThan(pageBytesMax);
      for (const row of rows(body)) seen.push(String(Reflect.get(row, 'id') ?? JSON.stringify(row)));
      const linked = /^<(.+)>; rel="next"$/.exec(link ?? '')?.[1] ?? null;
      path = !cursor ? linked : body.next === null ? null : `${first}&after=${body.next}`;
    }
    return seen;
  };
  const asList = (body: Answered) => body as unknown as object[];

  it('without pages ends there too: sanctions, notes, the history of a person', async () => {
    const params = { projectId: project.split('/')[3] ?? '' };
    const [person] = (await get(`${project}/participants?limit=1&search=large0`)).body.participants;
    const metadata = { filled: 'x'.repeat(240 * 1024) };
    const sanctions = 12;
    await someAtOnce(sanctions, () =>
      client.call(sanctionRoutes.create, {
        params,
        body: { type: 'warn', externalUserId: person.externalUserId, metadata },
      }),
    );
    const notes = 300;
    const note = { text: '\u{1f600}'.repeat(2_000) };
    await someAtOnce(notes, () =>
      client.call(participantRecordRoutes.addNote, { params: { ...params, id: person.id }, body: note }),
    );
    const lists = [
      [`${project}/sanctions/user/${person.externalUserId}`, sanctions],
      [`${project}/sanctions/participant/${person.id}`, sanctions],
      [`${project}/sanctions/user/${person.externalUserId}/active`, sanctions],
      [`${project}/participants/${person.id}/notes`, notes],
      [`${project}/participants/${person.id}/history?limit=1000`, null],
    ] as const;
    for (const [path, count] of lists) {
      const ids = await idsOf(path, asList);
      if (count !== null) expect(ids.length, path).toBe(count);
      expect(new Set(ids).size, path).toBe(ids.length);
    }
    const at = { params: { ...params, externalUserId: person.externalUserId } };
    expect(await client.call(sanctionRoutes.ofUser, at)).toHaveLength(sanctions);
    expect(await client.call(sanctionRoutes.ofUser, { ...at, query: { limit: 10 } })).toHaveLength(10);
    expect(await client.call(participantRecordRoutes.notes, { params: { ...params, id: person.id } })).toHaveLength(
      notes,
    );
  });

  it('beside others in one object ends there too, and `cut` names it: a person, a player, a review, the evidence of a sanction', async () => {
    const params = { projectId: project.split('/')[3] ?? '' };
    const externalUserId = 'large1';
    const metadata = { filled: 'x'.repeat(240 * 1024) };
    const impose = (evidence?: { reviewId: string }) =>
      client.call(sanctionRoutes.create, { params, body: { type: 'warn', externalUserId, metadata, evidence } });
    const sanction = await impose();
    const review = await client.call(reviewRoutes.appeal, {
      params: { ...params, id: sanction.id },
      body: { statement: 'It was not me.' },
    });
    const imposed = 12;
    await someAtOnce(imposed, () => impose({ reviewId: review.id }));
    const answers = [
      [`${project}/people/${externalUserId}`, 'active', ['active', 'gatherings', 'lastWords', 'past', 'progress']],
      [`${project}/players/${externalUserId}`, 'sanctions', ['sanctions']],
      [`${project}/reviews/${review.id}`, 'consequences', ['consequences']],
    ] as const;
    for (const [path, field, cut] of answers) {
      const { status, bytes, body } = await whenAllowed(path);
      expect(status, path).toBe(200);
      expect(bytes, path).toBeLessThan(pageBytesMax + 2 * metadata.filled.length);
      expect(body[field].length, path).toBeGreaterThan(0);
      expect(body[field].length, path).toBeLessThan(imposed);
      expect(cut, path).toEqual(expect.arrayContaining(body.cut));
      expect(body.cut, path).toContain(field);
    }
    const small = await whenAllowed(`${project}/sanctions/${sanction.id}/evidence`);
    expect(small.body).not.toHaveProperty('cut');
  });

  it('of audit entries that name many people ends there too', async () => {
    const params = { projectId: project.split('/')[3] ?? '' };
    const name = '\u{1f600}'.repeat(95);
    const items = Array.from({ length: 32 }, (_, n) => ({ type: 'warn' as const, externalUserId: `${name}${n}` }));
    await someAtOnce(batches, () => client.call(sanctionBatchRoutes.apply, { params, body: { items } }));
    const ids = await idsOf(`${project}/audit?action=applySanctions&limit=200`, ({ entries }) => entries, true);
    expect(new Set(ids).size).toBe(batches);
  });

  it('of hits goes on by `next`', async () => {
    const seen = new Set<string>();
    const path = `${project}/messages/search?q=shout&context=true&limit=100`;
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await whenAllowed(next === '' ? path : `${path}&after=${next}`);
      for (const { message } of body.hits) seen.add(message.id);
      next = body.next;
    }
    expect(seen.size).toBe(messages);
  });
});
