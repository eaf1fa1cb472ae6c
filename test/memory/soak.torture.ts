/**
 * A daemon under mixed load for an hour: its resident memory, open files and write-ahead log are as after the first ten
 * minutes. `EARSHOT_SOAK_MINUTES` makes it shorter or longer, and `EARSHOT_SOAK_SNAPSHOTS` names a folder for two snapshots
 * of the heap, which take so much memory that the resident memory is then not judged.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logPagesMost } from '../../daemon/platform/database/log-mover.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { type Addresses, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { Heap, inspected, mebibyte } from '../support/heap.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { recordProgress, recordProof } from '../support/reliability.js';
import { signIn } from '../support/room-client.js';
import { openStream } from '../support/stream.js';

const fullMinutes = 60;
const minutes = Number(process.env.EARSHOT_SOAK_MINUTES ?? fullMinutes);
const snapshots = process.env.EARSHOT_SOAK_SNAPSHOTS ?? '';
const minuteMs = 60_000;
/** Code is compiled, and caches fill. */
const warmUpMinutes = Math.min(10, minutes / 3);
const samplesMs = 5_000;
/**
 * Growth of resident memory in ten minutes. Garbage that waits for its collection makes it go up and down by more than that,
 * so a shorter run, which tells less, may show more.
 */
const grownMax = Math.max(1, fullMinutes / minutes) * mebibyte;
/** Growth of old space after collections, from the middle of the warm-up to the end. */
const heapGrownMax = 4 * mebibyte;
const filesGrownMax = 10;
/** At so many pages of 4 KiB the daemon begins its write-ahead log anew at the latest. */
const logBytesMax = logPagesMost * 4_096 * 1.1;
const people = 200;
const pauseMs = 50;

let daemon: DaemonProcess;
let addresses: Addresses;
let heap: Heap;
let receiver: Receiver;
let client: EarshotClient;
let apiKey: string;
let params: { projectId: string };
let board: string;
let sessionId: string;
beforeAll(async () => {
  daemon = new DaemonProcess({
    ...{ NODE_OPTIONS: inspected, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_MQTT_PORT: String(await freePort()) },
    ...{ EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_ADDRESS: '0', EARSHOT_RATE_LIMIT_MQTT_ADDRESS: '0' },
  });
  addresses = await daemon.start();
  heap = await Heap.of(daemon.printed);
  const { client: admin, projectId } = await signIn(addresses.http);
  params = { projectId };
  const scopes = [
    ...['participants', 'sessions', 'messages', 'plugins', 'sanctions', 'webhooks', 'gameplay', 'events:read'],
  ] as const;
  apiKey = (await admin.call(apiKeyRoutes.create, { body: { name: 'soak', scopes: [...scopes], projectId } })).key;
  client = new EarshotClient({ baseUrl: addresses.http, credential: { kind: 'apiKey', key: apiKey } });
  receiver = await startReceiver();
  const webhook = { url: receiver.url, secret: 'a long enough secret', events: ['participant.updated'] };
  await client.call(webhookRoutes.create, { params, body: webhook });
  const count = { of: { words: { any: ['word'] } }, by: 'person' as const, within: 60, atLeast: 1_000 };
  const definition = { format: 1 as const, when: { all: [{ count }] }, steps: [[{ webhook: {} }]] };
  await client.call(ruleRoutes.create, { params, body: { name: 'Counts', definition } });
  const points = { name: 'Points', eventName: 'earn-points' };
  board = (await client.call(leaderboardRoutes.create, { params, body: points })).id;
  const chat = { title: 'Chat', externalRoomId: 'chat', autoStart: false };
  sessionId = (await client.call(sessionRoutes.create, { params, body: chat })).id;
}, 120_000);
afterAll(async () => {
  heap.close();
  await receiver.stop();
  await daemon.dispose();
});

const personOf = (turn: number) => `user-${turn % people}`;
const post = (path: string, body: object, key = apiKey) =>
  fetch(addresses.http + path, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
const read = async (path: string) =>
  (await fetch(addresses.http + path, { headers: { 'X-API-Key': apiKey } })).arrayBuffer();

/** What the clients do, each in a loop of its own. */
const loads: Readonly<Record<string, (turn: number) => Promise<unknown>>> = {
  async changes(turn) {
    const { id } = await client.call(participantRoutes.create, { params, body: { externalUserId: personOf(turn) } });
    await client.call(participantRoutes.update, { params: { ...params, id }, body: { displayName: `Name ${turn}` } });
    receiver.received.length = 0;
  },
  chat: (turn) =>
    client.call(sessionRoutes.say, {
      params: { ...params, id: sessionId },
      body: { externalUserId: personOf(turn), content: `a word ${turn}` },
    }),
  game: (turn) =>
    post('/api/v1/events', {
      ...{ user_id: personOf(turn), event_name: 'earn-points', event_type: 'single', session_id: 'match' },
      meta_data: { amount: 1 + (turn % 5) },
    }).then((answer) => answer.arrayBuffer()),
  ranks: () => read(`/api/projects/${params.projectId}/leaderboards/${board}/ranking?limit=100`),
  lists: (turn) => read(`/api/projects/${params.projectId}/participants?search=user-${turn % 10}`),
  metrics: () => read('/metrics'),
  async sanctions(turn) {
    const body = { type: 'warn' as const, externalUserId: personOf(turn), duration: 60 };
    const { id } = await client.call(sanctionRoutes.create, { params, body });
    await client.call(sanctionRoutes.revoke, { params: { ...params, id } });
  },
  strangers: (turn) => post('/api/v1/events', { turn }, `wrong-${turn}`).then((answer) => answer.arrayBuffer()),
  async streams() {
    const url = `${addresses.http}/api/projects/${params.projectId}/events/stream`;
    const stream = await openStream(url, { 'X-API-Key': apiKey });
    await stream.next(30_000);
    stream.close();
    await stream.ended;
  },
  async subscriptions() {
    const login = { username: params.projectId, password: apiKey, reconnectPeriod: 0 };
    const one = await mqtt.connectAsync(addresses.mqtt, login);
    await one.subscribeAsync(`projects/${params.projectId}/events/#`);
    await one.endAsync();
  },
};

interface Sample {
  readonly minute: number;
  readonly resident: number;
  readonly files: number;
  readonly log: number;
}

function sample(began: number): Sample {
  const status = readFileSync(`/proc/${daemon.pid}/status`, 'utf8');
  return {
    minute: (performance.now() - began) / minuteMs,
    resident: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024,
    files: readdirSync(`/proc/${daemon.pid}/fd`).length,
    log: statSync(join(daemon.dataDir, 'earshot.db-wal'), { throwIfNoEntry: false })?.size ?? 0,
  };
}

const middleOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
/** The median of the slopes between all pairs, in bytes a minute: single peaks do not move it. */
const slopeOf = (samples: readonly Sample[]): number =>
  middleOf(
    samples.flatMap((a, index) =>
      samples.slice(index + 1).map((b) => (b.resident - a.resident) / (b.minute - a.minute)),
    ),
  );

describe.runIf(process.platform === 'linux')(`${minutes} minutes of mixed load`, () => {
  it('leave memory, open files and the write-ahead log as they were after the first of them', {
    timeout: (minutes + 5) * minuteMs,
  }, async () => {
    const began = performance.now();
    const elapsed = () => (performance.now() - began) / minuteMs;
    const done = new Map<string, number>();
    const failed: string[] = [];
    const running = Object.entries(loads).map(async ([name, load]) => {
      for (let turn = 0; elapsed() < minutes; turn += 1, await sleep(pauseMs)) {
        await load(turn).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
        done.set(name, turn + 1);
      }
    });
    const samples: Sample[] = [];
    let heapBefore = 0;
    let snapshotWritten = false;
    for (; elapsed() < minutes; await sleep(samplesMs)) {
      samples.push(sample(began));
      recordProgress('soak', elapsed(), minutes);
      if (heapBefore === 0 && elapsed() > warmUpMinutes / 2) heapBefore = await heap.oldSpace();
      if (snapshots === '' || snapshotWritten || elapsed() < warmUpMinutes) continue;
      await heap.writeSnapshot(join(snapshots, 'after-warm-up.heapsnapshot'));
      snapshotWritten = true;
    }
    await Promise.all(running);
    const heapAfter = await heap.oldSpace();
    if (snapshots !== '') await heap.writeSnapshot(join(snapshots, 'at-the-end.heapsnapshot'));
    const later = samples.filter(({ minute }) => minute > warmUpMinutes);
    const [first] = later;
    const slope = slopeOf(later) * 10;
    const files = later.map((one) => one.files);
    const filesGrown = middleOf(files.slice(-10)) - middleOf(files.slice(0, 10));
    const log = Math.max(...samples.map((one) => one.log));
    const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(1)} MiB`;
    console.info(
      `${minutes} minutes: resident memory ${mib(first?.resident ?? 0)} after ${warmUpMinutes.toFixed(1)}, ` +
        `${mib(later.at(-1)?.resident ?? 0)} at the end, slope ${mib(slope)} in ten minutes; old space ` +
        `${mib(heapBefore)}, ${mib(heapAfter)}; files ${files[0]}, ${files.at(-1)}; the largest log ${mib(log)}; ` +
        `requests ${JSON.stringify(Object.fromEntries(done))}`,
    );
    for (const { minute, resident, files: open, log: bytes } of samples.filter((_, index) => index % 12 === 0))
      console.info(`minute ${minute.toFixed(1)}: ${mib(resident)}, ${open} files, log ${mib(bytes)}`);
    expect(failed.slice(0, 5)).toEqual([]);
    for (const name of Object.keys(loads)) expect(done.get(name), name).toBeGreaterThan(minutes);
    if (snapshots === '') expect(slope, 'bytes of resident memory in ten minutes').toBeLessThanOrEqual(grownMax);
    expect(heapAfter - heapBefore, 'bytes of old space').toBeLessThanOrEqual(heapGrownMax);
    expect(filesGrown).toBeLessThanOrEqual(filesGrownMax);
    expect(log).toBeLessThanOrEqual(logBytesMax);
    recordProof({
      promise: 'soak',
      count: [...done.values()].reduce((sum, one) => sum + one, 0),
      seed: null,
      worst: `${failed.length} failed; resident memory ${mib(slope)} in ten minutes; old space ${mib(heapAfter - heapBefore)} more; ${filesGrown} more open files`,
      table: [
        ['minute', 'resident memory', 'open files', 'write-ahead log'],
        ...samples
          .filter((_, index) => index % Math.max(1, Math.round(samples.length / 12)) === 0)
          .map((one) => [one.minute.toFixed(1), mib(one.resident), String(one.files), mib(one.log)]),
      ],
    });
  });
});
