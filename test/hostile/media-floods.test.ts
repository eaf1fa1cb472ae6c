/** One player floods a room by RTCP, by ever new sources, or with far more sound than time: others talk on. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { lowPriority, rentedMachine, watchingHealth } from '../support/health-watch.js';
import { makeOtherProject } from '../support/other-tenant.js';
import { answering, deadOffer, type MediaProtocol, postOffer, roomToken, signIn } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { roomProcesses } from '../support/room-process.js';
import { scale, torture } from '../support/scale.js';

const program = fileURLToPath(new URL('../support/media-flood.mjs', import.meta.url));
const garbage = fileURLToPath(new URL('../support/media-garbage.mjs', import.meta.url));
const seconds = scale(4, 20);
const garbageSeconds = scale(1, 10);
const garbageRates = torture ? [4_000, 20_000] : [4_000];
const packetsPerSecond = 4_000;
const patienceMs = 60_000;
/** Largest delay of other people's voice; only printed at small scale, because suites share the machine. */
const voiceDelayMaxMs = 500;
const Outcome = z.object({ sent: z.int() });

const daemon = new DaemonProcess({}, rentedMachine);
let client: EarshotClient;
let projectId: string;
let neighbour: EarshotClient;
let theirProject: string;
beforeAll(async () => {
  await daemon.start();
  ({ client, projectId } = await signIn(daemon.url));
  const { key, projectId: other } = await makeOtherProject(daemon.databaseUrl, new Date());
  neighbour = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
  theirProject = other;
  const params = { projectId: other };
  await neighbour.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
});
afterAll(() => daemon.dispose());

const flood = async (
  kind: MediaProtocol,
  person: string,
  mode: string,
  perSecond = packetsPerSecond,
  forSeconds = seconds,
) => {
  const token = await roomToken(client, projectId, 'arena', person);
  const args = [program, `${daemon.url}/rooms/arena`, kind, token, mode, String(perSecond), String(forSeconds)];
  const ended = { timeout: forSeconds * 1_000 + patienceMs, killSignal: 'SIGKILL' } as const; // it may never get in
  const { stdout } = await promisify(execFile)('nice', ['-n', String(lowPriority), process.execPath, ...args], ended);
  return { ...Outcome.parse(JSON.parse(stdout)), token };
};

const attacks = [
  { kind: 'whip', mode: 'rtcp' },
  { kind: 'whip', mode: 'rtp' },
  { kind: 'whip', mode: 'sources' },
  { kind: 'whep', mode: 'rtcp' },
  { kind: 'whep', mode: 'rtp' },
  { kind: 'whep', mode: 'sources' },
] as const;

const inTheirRoom = async <Peer extends Speaker | Listener>(peer: Peer, kind: MediaProtocol, person: string) => {
  const token = await roomToken(neighbour, theirProject, 'stage', person);
  await peer.join(answering(daemon.url, kind, 'stage', token));
  return peer;
};

/** Measures how much of a neighbour's speech arrives during `work`, and how late. */
async function heardDuring(ann: Speaker, ben: Listener, work: () => Promise<void>) {
  const from = ann.spoken;
  const already = ben.heard.length;
  const endSentence = ann.talkOn();
  await work();
  await endSentence();
  await ben.settled();
  const delays = ben.heardAt
    .slice(already)
    .map((at, index) => at - (ann.saidAt[ben.heard[already + index] ?? 0] ?? at))
    .toSorted((one, other) => one - other);
  const p95 = delays[Math.floor(delays.length * 0.95)] ?? 0;
  return { spoken: ann.spoken - from, heard: ben.heardSince(from), p95, worst: delays.at(-1) ?? 0 };
}

/** The UDP port of the process that has the room, as the answer to an offer names it. */
async function portOf(person: string): Promise<string> {
  const token = await roomToken(neighbour, theirProject, 'stage', person);
  const answer = await postOffer(daemon.url, 'whep', 'stage', token, deadOffer('whep'));
  return /a=candidate:\S+ \d+ UDP \d+ \S+ (\d+) typ host/i.exec(await answer.text())?.[1] ?? '';
}

describe('packets of somebody who is in no room, at the port of the room', { timeout: 300_000 }, () => {
  it.each([
    ['binding requests of nobody', 'stun'],
    ['handshakes that cannot be read', 'dtls'],
    ['sound of unknown sources', 'rtp'],
    ['noise', 'noise'],
  ])('%s: those who are in it hear each other', async (title, mode) => {
    const ann = await inTheirRoom(new Speaker(`ann-${mode}`), 'whip', `ann-${mode}`);
    const ben = await inTheirRoom(new Listener(`ben-${mode}`, 2), 'whep', `ben-${mode}`);
    const port = await portOf(`eve-${mode}`);
    const spray = (perSecond: number) =>
      promisify(execFile)('nice', [
        ...['-n', String(lowPriority), process.execPath, garbage],
        ...[port, mode, String(perSecond), String(garbageSeconds)],
      ]);
    for (const perSecond of garbageRates) {
      let sent = 0;
      const work = async () => {
        sent = Outcome.parse(JSON.parse((await spray(perSecond)).stdout)).sent;
      };
      let voice = { spoken: 0, heard: 0, p95: 0, worst: 0 };
      const attack = async () => {
        voice = await heardDuring(ann, ben, work);
      };
      await watchingHealth(daemon, `${perSecond} packets a second at the media port: ${title}`, attack, {
        othersAreHere: true,
      });
      const { spoken, heard, p95, worst } = voice;
      console.info(
        `${title}, ${sent} sent: heard ${heard} of ${spoken}, p95 ${p95.toFixed(0)} ms late, ${worst.toFixed(0)} ms at most`,
      );
      // At small scale whoever sends has what other suites leave of the processors.
      expect(sent).toBeGreaterThan(scale(0, perSecond));
      expect(heard).toBeGreaterThan(spoken * (torture ? 0.98 : 0.5));
      if (torture) expect(p95).toBeLessThan(voiceDelayMaxMs);
    }
    ann.close();
    ben.close();
  });
});

describe('a flood of packets by a player in a room', { timeout: 300_000 }, () => {
  it('ends with that player, who stays out for a while, and others are heard meanwhile', async () => {
    const ann = await inTheirRoom(new Speaker('ann'), 'whip', 'ann');
    const ben = await inTheirRoom(new Listener('ben', 2), 'whep', 'ben');
    const title = `${attacks.length} floods of ${packetsPerSecond} packets a second in a room`;
    const outcomes: Awaited<ReturnType<typeof flood>>[] = [];
    const attack = async () => {
      for (const [index, { kind, mode }] of attacks.entries()) outcomes.push(await flood(kind, `eve-${index}`, mode));
    };
    const { spoken, heard, p95, worst } = await heardDuring(ann, ben, () =>
      watchingHealth(daemon, title, attack, { othersAreHere: true }).then(() => {}),
    );
    console.info(
      `${title}: ${outcomes.map(({ sent }) => sent).join(', ')} packets were sent; another tenant heard ${heard} of ${spoken} packets, p95 ${p95.toFixed(0)} ms late, ${worst.toFixed(0)} ms at most`,
    );
    const disconnected = daemon.printed.filter((one) => one.includes('it sent a flood of packets'));
    expect(disconnected).toHaveLength(attacks.length);
    for (const { sent } of outcomes) expect(sent).toBeGreaterThan(16);
    expect(heard).toBeGreaterThan(spoken * (torture ? 0.98 : 0.5));
    if (torture) expect(p95).toBeLessThan(voiceDelayMaxMs);

    const last = outcomes.at(-1); // the others may be let in again by now
    const again = await postOffer(daemon.url, 'whip', 'arena', last?.token ?? '', deadOffer('whip'));
    expect({ status: again.status, body: await again.json() }).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', message: expect.stringMatching(/far more packets than speech needs/) },
    });
    const rooms = await client.call(roomRoutes.list, { params: { projectId }, query: {} });
    expect(rooms.flatMap(({ peers }) => peers.map(({ externalUserId }) => externalUserId))).toEqual([]);
    ann.close();
    ben.close();
  });

  it('is cut to time where its packets hold 48 frames each', async () => {
    const fates = async () => {
      const text = await (await fetch(`${daemon.url}/metrics`)).text();
      const of = (fate: string) =>
        Number(new RegExp(`room_packets_total\\{fate="${fate}"[^}]*\\} (\\d+)`).exec(text)?.[1]);
      return { in: of('in'), rate: of('rate') };
    };
    const before = await fates();
    // 50 packets of 120 ms a second: six seconds of sound in each.
    const { sent } = await flood('whip', 'hal', 'long', 50, 4);
    const after = await fates();
    const [arrived, dropped] = [after.in - before.in, after.rate - before.rate];
    console.info(`${dropped} of ${arrived} packets of 120 ms were dropped, of ${sent} that were sent`);
    expect(dropped).toBeGreaterThan(arrived * 0.4);
  });

  it('costs the process of its own tenant: another tenant has another one', async () => {
    const ann = await inTheirRoom(new Speaker('fay'), 'whip', 'fay');
    const token = await roomToken(client, projectId, 'arena', 'gil');
    const gil = new Speaker('gil');
    await gil.join(answering(daemon.url, 'whip', 'arena', token));
    const [one, two] = roomProcesses(daemon.pid);
    expect([typeof one, typeof two]).toEqual(['number', 'number']);
    const rooms = () => neighbour.call(roomRoutes.list, { params: { projectId: theirProject }, query: {} });
    const theirs = () => client.call(roomRoutes.list, { params: { projectId }, query: {} });
    await eventually(async () => expect([(await rooms()).length, (await theirs()).length]).toEqual([1, 1]));
    process.kill(two ?? 0, 'SIGKILL');
    await eventually(async () => expect([(await rooms()).length, (await theirs()).length].sort()).toEqual([0, 1]));
    ann.close();
    gil.close();
  });
});
