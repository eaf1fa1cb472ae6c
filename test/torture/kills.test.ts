/**
 * Daemons are killed again and again while messages are sent, webhooks are delivered and clients follow streams, which are
 * cut between the kills as well: nothing acknowledged is lost, each event reaches each subscription under one id and with
 * its signature, and each client sees the whole log.
 */
import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { EventStream } from '../../src/client/event-stream.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { Chance } from '../fuzz/engine/chance.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Relay } from '../support/relay.js';
import { recordProgress, recordProof } from '../support/reliability.js';
import { signIn } from '../support/room-client.js';
import { isTimeUp, published, seedOr, torture } from '../support/scale.js';

const seed = seedOr(20_261_201);
const secret = 'a secret of thirty-two characters';
/** Both processors are busy: while one daemon starts, the other works. */
const daemons = 2;
const rounds = published(4, 1_000) / daemons;
const subscriptions = torture ? 100 : 4;
const messagesPerRound = torture ? 10 : 3;
/** Each is cut twice a round: by the kill, and at a moment between two of them. */
const streams = torture ? 5 : 2;
const senders = 6;
const comebackMs = 120_000;
const patienceMs = 300_000 + rounds * 20_000;

/** Deliveries that came, verified: the subscriptions that each message has reached, and under which event. */
class Arrivals {
  readonly messages = new Map<string, { readonly event: string; readonly reached: Set<string> }>();
  unique = 0;
  repeated = 0;
  readonly wrong: string[] = [];
  private readonly server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      this.take(request, Buffer.concat(chunks).toString());
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private take({ url = '', headers }: http.IncomingMessage, body: string): void {
    const timestamp = String(headers['x-timestamp']);
    const expected = createHmac('sha256', secret)
      .update(timestamp + body)
      .digest('hex');
    if (headers['x-signature'] !== expected) this.wrong.push(`${url}: the signature`);
    const { id: event, payload } = JSON.parse(body);
    const message = String(payload.data.id);
    const known = this.messages.get(message) ?? { event, reached: new Set() };
    this.messages.set(message, known);
    if (known.event !== event || headers['webhook-id'] !== event)
      this.wrong.push(`${url}: ${event} for ${known.event}`);
    if (known.reached.has(url)) this.repeated += 1;
    else this.unique += 1;
    known.reached.add(url);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Events that a client sees, from its first connection on. */
class Watcher {
  readonly seen: string[] = [];
  connections = 0;
  gaps = 0;
  private readonly stream: EventStream;
  private readonly done: Promise<void>;

  constructor(client: EarshotClient, projectId: string, since?: string) {
    this.stream = new EventStream(client, { projectId, types: 'message.*', since });
    this.done = this.watch();
  }

  private async watch(): Promise<void> {
    for await (const news of this.stream) {
      if (news.kind === 'connected') this.connections += 1;
      if (news.kind === 'gap') this.gaps += 1;
      if (news.kind === 'event') this.seen.push(news.event.id);
    }
  }

  stop(): Promise<void> {
    this.stream.close();
    return this.done;
  }
}

const seen = { kills: 0, cuts: 0, worstStartMs: 0, worstLateMs: 0, delivered: 0, repeated: 0, stored: 0 };

async function tormented(number: number): Promise<void> {
  const next = new Chance(seed + number);
  const unlimited = {
    EARSHOT_RATE_LIMIT_CREDENTIAL: '0',
    EARSHOT_RATE_LIMIT_ADDRESS: '0',
    EARSHOT_STORAGE_DAY_MB: '0',
  };
  const daemon = new DaemonProcess({ ...inSqlite, ...unlimited, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
  const arrivals = new Arrivals();
  const relay = new Relay(() => daemon.url);
  try {
    const receiver = await arrivals.start();
    await daemon.start();
    await relay.start();
    const { client, projectId } = await signIn(daemon.url);
    const params = { projectId };
    for (let each = 0; each < subscriptions; each += 1)
      await client.call(webhookRoutes.create, {
        params,
        body: { url: `${receiver}/${each}`, secret, events: ['message.created'] },
      });
    const { id } = await client.call(sessionRoutes.create, {
      params,
      body: { title: 'Torture', externalRoomId: 'torture', autoStart: false },
    });
    const through = new EarshotClient({
      baseUrl: relay.url,
      ...(client.credential && { credential: client.credential }),
    });
    const watchers = Array.from({ length: streams }, () => new Watcher(through, projectId));
    const allConnected = (times: readonly number[]) =>
      eventually(
        () => expect(watchers.every(({ connections }, index) => connections > (times[index] ?? 0))).toBe(true),
        comebackMs,
      );
    await allConnected([]);

    const acknowledged = new Set<string>();
    let sent = 0;
    const say = async () => {
      sent += 1;
      const body = { externalUserId: `u${sent % 50}`, content: `message ${sent}` };
      acknowledged.add((await client.call(sessionRoutes.say, { params: { ...params, id }, body })).id);
    };
    const sayUntil = async (count: number) => {
      // A daemon under load, and one that has been killed, may refuse: that is no acknowledgement.
      while (acknowledged.size < count) await say().catch(() => sleep(50));
    };
    const outstanding = () => acknowledged.size * subscriptions - arrivals.unique;
    const cut = async (killed: boolean) => {
      const before = watchers.map(({ connections }) => connections);
      if (killed) {
        let release = () => {};
        relay.held = new Promise((resolve) => {
          release = resolve;
        });
        relay.cut();
        await daemon.end('SIGKILL');
        const began = performance.now();
        await daemon.start();
        seen.worstStartMs = Math.max(seen.worstStartMs, performance.now() - began);
        seen.kills += 1;
        release();
      } else relay.cut();
      await allConnected(before);
      seen.cuts += watchers.length;
    };

    for (let round = 1; round <= rounds && !isTimeUp(); round += 1) {
      const goal = round * messagesPerRound;
      const load = Array.from({ length: senders }, () => sayUntil(goal));
      await sleep(next.fraction() * 100);
      await cut(false);
      await eventually(() => expect(acknowledged.size).toBeGreaterThanOrEqual(goal), comebackMs);
      const left = next.fraction() * messagesPerRound * subscriptions;
      await eventually(() => expect(outstanding()).toBeLessThanOrEqual(left), comebackMs);
      await Promise.all(load);
      // Under way in the moment of the kill.
      const last = Array.from({ length: senders }, () => say().catch(() => {}));
      await sleep(next.fraction() * 15);
      await cut(true);
      await Promise.all(last);
      recordProgress('kills', seen.kills, rounds * daemons);
    }
    const endedAt = performance.now();
    const short = () => [...acknowledged].filter((one) => arrivals.messages.get(one)?.reached.size !== subscriptions);
    await eventually(() => expect(short()).toEqual([]), comebackMs);
    seen.worstLateMs = Math.max(seen.worstLateMs, performance.now() - endedAt);

    const stored = (await client.call(sessionRoutes.messages, { params: { ...params, id } })).map((one) => one.id);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...acknowledged].filter((one) => !new Set(stored).has(one))).toEqual([]);
    expect(arrivals.wrong).toEqual([]);
    const log = new Watcher(client, projectId, 'earliest');
    await eventually(() => expect(log.seen).toHaveLength(stored.length), comebackMs);
    for (const { seen: shown, gaps } of watchers)
      await eventually(() => expect({ gaps, shown }).toEqual({ gaps: 0, shown: log.seen }), comebackMs);
    await Promise.all([...watchers, log].map((one) => one.stop()));
    seen.delivered += arrivals.unique;
    seen.repeated += arrivals.repeated;
    seen.stored += stored.length;
  } finally {
    relay.stop();
    arrivals.stop();
    await daemon.dispose();
  }
}

it(`keeps what was acknowledged through ${rounds * daemons} kills, for webhooks and streams too (EARSHOT_FUZZ_SEED=${seed})`, {
  timeout: patienceMs,
}, async () => {
  await Promise.all(Array.from({ length: daemons }, (_, number) => tormented(number)));
  // A run whose time is up before its beginning shows nothing.
  expect(seen.kills).toBeGreaterThan(0);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  recordProof({
    promise: 'kills',
    count: seen.kills,
    seed,
    worst: `0 of ${seen.stored.toLocaleString('en')} messages lost or stored twice; slowest start after a kill ${seconds(seen.worstStartMs)}`,
  });
  recordProof({
    promise: 'webhooks',
    count: seen.delivered,
    seed,
    worst: `0 lost; ${seen.repeated.toLocaleString('en')} repeated under the same id; the last came ${seconds(seen.worstLateMs)} after the last kill`,
  });
  recordProof({ promise: 'cuts', count: seen.cuts, seed, worst: 'no gap, no event twice or out of order' });
});
