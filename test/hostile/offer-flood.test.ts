/** One player's token, thousands of offers at once: everybody else talks on, and the room process lives. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { flood } from '../support/offer-flood.js';
import { answering, deadOffer, roomToken, signIn } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { roomProcess } from '../support/room-process.js';
import { scale, torture } from '../support/scale.js';

const offers = scale(120, 2_500);
const waves = scale(1, 5);

const daemon = new DaemonProcess({}, rentedMachine);
let client: EarshotClient;
let projectId: string;
let otherProject: string;
beforeAll(async () => {
  await daemon.start();
  ({ client, projectId } = await signIn(daemon.url));
  otherProject = (await client.call(projectRoutes.create, { body: { name: 'another studio' } })).id;
  const settings = await client.call(settingsRoutes.get, { params: { projectId } });
  const { tokenProvider } = settings;
  await client.call(settingsRoutes.put, { params: { projectId: otherProject }, body: { tokenProvider } });
});
afterAll(() => daemon.dispose());

describe('a flood of offers by one token', () => {
  it('leaves what others say audible, mutes in force at once, and its own player able to join', {
    timeout: 300_000,
  }, async () => {
    const join = async <Peer extends Speaker | Listener>(peer: Peer, kind: 'whip' | 'whep', person: string) => {
      const token = await roomToken(client, otherProject, 'stage', person);
      await peer.join(answering(daemon.url, kind, 'stage', token));
      return peer;
    };
    const ann = await join(new Speaker('ann'), 'whip', 'ann');
    const ben = await join(new Listener('ben', 2), 'whep', 'ben');
    const before = roomProcess(daemon.pid);
    const token = await roomToken(client, projectId, 'arena', 'eve');
    const rooms = `${daemon.url}/rooms/arena`;
    const attack = { urls: [`${rooms}/whip`, `${rooms}/whep`], offers: [deadOffer('whip'), deadOffer('whep')], token };

    const from = ann.spoken;
    const endSentence = ann.talkOn();
    const outcomes: Record<string, number>[] = [];
    const mutes: number[] = [];
    let [spoken, heard] = [0, 0];
    await watchingHealth(daemon, `${waves} x ${offers} offers by one token, 100 at once`, async () => {
      for (let wave = 0; wave < waves; wave += 1) {
        const ends = flood({ ...attack, count: offers });
        const startedAt = performance.now();
        const body = { type: 'mute' as const, externalUserId: 'eve', duration: 1 };
        await client.call(sanctionRoutes.create, { params: { projectId }, body });
        mutes.push(performance.now() - startedAt);
        outcomes.push(await ends);
      }
      await endSentence();
      await ben.settled();
      spoken = ann.spoken - from;
      heard = ben.heardSince(from);
      console.info(
        `${heard} of ${spoken} packets heard meanwhile; a mute took ${Math.max(...mutes).toFixed(0)} ms at most;`,
        outcomes,
      );
    });
    expect(roomProcess(daemon.pid)).toBe(before);
    expect(heard).toBeGreaterThan(spoken * (torture ? 0.95 : 0.5));
    expect(new Set(outcomes.flatMap((counts) => Object.keys(counts)))).toEqual(new Set(['201', '429']));
    ann.close();
    ben.close();

    const eve = await eventually(async () => {
      const peer = new Listener('eve', 1);
      await peer.join(answering(daemon.url, 'whep', 'arena', token)).catch((error: unknown) => {
        peer.close();
        throw error;
      });
      return peer;
    });
    eve.close();
  });
});
