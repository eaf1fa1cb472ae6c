/** The room process dies again and again while people come, leave and are muted: the daemon lives, and they come back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { answering, deadOffer, type MediaProtocol, postOffer, roomToken, signIn } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { roomProcess, roomProcesses } from '../support/room-process.js';
import { scale } from '../support/scale.js';

const deaths = scale(2, 25);
const people = scale(10, 20);
/** Between a process that is there and its end: it dies in the middle of work. */
const lifeMs = 60;

const daemon = new DaemonProcess({}, rentedMachine);
let client: EarshotClient;
let projectId: string;
let tokens: string[];
beforeAll(async () => {
  await daemon.start();
  ({ client, projectId } = await signIn(daemon.url));
  tokens = await Promise.all(Array.from({ length: people }, (_, i) => roomToken(client, projectId, 'arena', `u${i}`)));
});
afterAll(() => daemon.dispose());

const pid = (): number => daemon.pid ?? 0;

/** Offers, leaves, mutes and kicks, one after the other, until told to stop. Returns every status that came. */
async function load(index: number, goesOn: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  const token = tokens[index] ?? '';
  const params = { projectId, roomId: 'arena', externalUserId: `u${index}` };
  const kind = index % 2 === 0 ? 'whip' : 'whep';
  while (goesOn()) {
    const answer = await postOffer(daemon.url, kind, 'arena', token, deadOffer(kind));
    statuses.push(answer.status);
    await answer.text();
    const location = answer.headers.get('location');
    if (location !== null) {
      const headers = { Authorization: `Bearer ${token}` };
      const left = await fetch(`${daemon.url}${location}`, { method: 'DELETE', headers });
      statuses.push(left.status);
      await left.text();
    }
    const body = { type: 'mute' as const, externalUserId: `u${index}`, duration: 60 };
    await client.call(sanctionRoutes.create, { params: { projectId }, body }).catch(() => null);
    if (index % 5 === 4) await client.call(roomRoutes.kick, { params }).catch(() => null);
  }
  return statuses;
}

/** Rejoins the room with the same token, as soon as the room process runs again. */
const comeBack = <Peer extends Speaker | Listener>(
  make: () => Peer,
  kind: MediaProtocol,
  token: string,
): Promise<Peer> =>
  eventually(async () => {
    const peer = make();
    await peer.join(answering(daemon.url, kind, 'stage', token)).catch((error: unknown) => {
      peer.close();
      throw error;
    });
    return peer;
  });

describe('a room process that dies under load', () => {
  it('costs a reconnect: the daemon lives, and the same token opens the room again', { timeout: 300_000 }, async () => {
    const speakerToken = await roomToken(client, projectId, 'stage', 'speaker');
    const listenerToken = await roomToken(client, projectId, 'stage', 'listener');
    await watchingHealth(daemon, `${deaths} deaths of the room process`, async () => {
      let goesOn = true;
      const loads = tokens.map((_, index) => load(index, () => goesOn));
      for (let death = 0; death < deaths; death += 1) {
        const victim = await eventually(() => roomProcess(pid()));
        await sleep(lifeMs);
        process.kill(victim, 'SIGKILL');
        await eventually(() => expect(roomProcesses(pid())).not.toContain(victim));
      }
      goesOn = false;
      const statuses = new Set((await Promise.all(loads)).flat());
      expect([...statuses].filter((status) => ![200, 201, 401, 404, 429, 503].includes(status))).toEqual([]);
    });
    expect(daemon.printed.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);

    const speaker = await comeBack(() => new Speaker('speaker'), 'whip', speakerToken);
    const listener = await comeBack(() => new Listener('listener', 2), 'whep', listenerToken);
    await speaker.talk(25);
    await eventually(() => expect(listener.heard.length).toBeGreaterThan(10));
    expect(roomProcesses(pid())).toHaveLength(1);
    speaker.close();
    listener.close();
  });
});
