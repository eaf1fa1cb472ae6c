/** Streams are cut at random moments and the daemon is killed between: what each client saw must equal the log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { EventStream } from '../../src/client/event-stream.js';
import { matchesPattern } from '../../src/contract/events.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { Chance } from '../fuzz/engine/chance.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { Relay } from '../support/relay.js';
import { scale } from '../support/scale.js';

const clients = scale(3, 20);
const rounds = scale(3, 500); // each cuts every client's stream
const roundsPerKill = scale(2, 20);
const roundMsMax = 300;
const patienceMs = scale(300_000, 25 * 60_000);
const comebackMs = 120_000;
const kinds = [undefined, 'participant.created', 'participant.up*', 'participant.*'] as const;

const daemon = new DaemonProcess();
const relay = new Relay(() => daemon.url);
let projectId: string;
let key: string;
beforeAll(async () => {
  await daemon.start();
  await relay.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  projectId = (await admin.call(projectRoutes.list, {}))[0]?.id ?? '';
  const scopes = ['events' as const, 'participants' as const];
  key = (await admin.call(apiKeyRoutes.create, { body: { name: 'cuts', scopes } })).key;
}, 120_000);
afterAll(async () => {
  relay.stop();
  await daemon.dispose();
});

/** Events that a client sees, from the moment on that its stream is there. */
class Watcher {
  readonly seen: string[] = [];
  connections = 0;
  gaps = 0;
  private readonly stream: EventStream;
  private readonly done: Promise<void>;

  constructor(
    baseUrl: string,
    readonly types: string | undefined,
    since?: string,
  ) {
    const client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
    this.stream = new EventStream(client, { projectId, types, since });
    this.done = this.watch();
  }

  private async watch(): Promise<void> {
    for await (const news of this.stream) {
      if (news.kind === 'connected') this.connections += 1;
      if (news.kind === 'gap') this.gaps += 1;
      if (news.kind === 'event') this.seen.push(`${news.event.type} ${news.event.id}`);
    }
  }

  stop(): Promise<void> {
    this.stream.close();
    return this.done;
  }
}

it(`shows each of ${clients} clients the whole log through ${clients * rounds} cuts`, {
  timeout: patienceMs,
}, async () => {
  const next = new Chance(20_261_121);
  const watchers = Array.from({ length: clients }, (_, index) => new Watcher(relay.url, kinds[index % kinds.length]));
  const allConnected = (times: number) =>
    eventually(
      () => expect(Math.min(...watchers.map(({ connections }) => connections))).toBeGreaterThanOrEqual(times),
      comebackMs,
    );
  await allConnected(1);

  let writing = true;
  let written = 0;
  const writer = (async () => {
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    for (; writing; written += 1) {
      const body = { externalUserId: `u${written}`, displayName: 'before' };
      try {
        const { id } = await client.call(participantRoutes.create, { params: { projectId }, body });
        const params = { projectId, id };
        await client.call(participantRoutes.update, { params, body: { displayName: 'after' } });
      } catch {
        await sleep(50); // killed; what was not acknowledged may or may not be in the log
      }
    }
  })();

  for (let round = 1; round <= rounds; round += 1) {
    await sleep(next.fraction() * roundMsMax);
    const before = watchers.map(({ connections }) => connections);
    if (round % roundsPerKill === 0) {
      await daemon.end('SIGKILL');
      await daemon.start();
    }
    relay.cut();
    await eventually(
      () => expect(watchers.every(({ connections }, index) => connections > (before[index] ?? 0))).toBe(true),
      comebackMs,
    );
  }
  writing = false;
  await writer;

  const log = new Watcher(daemon.url, undefined, 'earliest');
  const last = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
  const { id } = await last.call(participantRoutes.create, { params: { projectId }, body: { externalUserId: 'last' } });
  for (const displayName of ['x', 'y'])
    await last.call(participantRoutes.update, { params: { projectId, id }, body: { displayName } });
  await eventually(() => expect(log.seen.length).toBeGreaterThanOrEqual(3), comebackMs);
  for (const { types, seen, gaps } of watchers) {
    await eventually(() => {
      const shown = log.seen.filter((one) => matchesPattern(one.split(' ')[0] ?? '', types ?? '*'));
      expect(gaps).toBe(0);
      expect(seen).toEqual(shown);
      expect(seen.length).toBeGreaterThan(rounds);
    }, comebackMs);
  }
  await Promise.all([...watchers, log].map((one) => one.stop()));
});
