import { createSocket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { initLogger } from 'node-datachannel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoomHost } from '../../daemon/modules/rooms/embedded/host.js';
import type { UpFrame } from '../../daemon/modules/rooms/embedded/protocol.js';
import { safely } from '../../daemon/modules/rooms/embedded/safe.js';
import type { SpeakingPolicy, StampedPacket, Visitor } from '../../daemon/modules/rooms/media/engine.js';
import { eventually } from '../support/eventually.js';
import { freeToSpeak, Listener, Speaker } from '../support/room-peers.js';

const room = { projectId: 'p', roomId: 'demo' };
const visitor = (externalUserId: string): Visitor => ({
  ...room,
  externalUserId,
  name: externalUserId,
  userData: {},
  tokenId: `token of ${externalUserId}`,
  observer: false,
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });

let host: RoomHost;
let ann: Speaker;
let ben: Listener;
const frames: UpFrame[] = [];
const impose = (policy: SpeakingPolicy | null) =>
  host.setPolicies('p', new Map([['ann', { everywhere: policy, inRooms: new Map(), blocked: [] }]]));
const tapped = (): StampedPacket[] => frames.flatMap((frame) => (frame.kind === 'packets' ? frame.packets : []));

beforeAll(async () => {
  initLogger('Error', () => {});
  const media = { port: await freePort(), bindAddress: '127.0.0.1', announcedAddress: null, announcesLoopback: false };
  host = new RoomHost({
    media,
    safe: safely((error) => {
      throw error;
    }),
    nowMs: () => performance.now(),
    up: (frame, sent) => {
      frames.push(frame);
      sent?.();
    },
  });
  host.start();
  host.tap(room, true);
  ann = new Speaker('ann');
  ben = new Listener('ben', 4);
  await ann.join(async (offer) => (await host.publish(offer, visitor('ann'), freeToSpeak)).answerSdp);
  await ben.join(async (offer) => (await host.subscribe(offer, visitor('ben'))).answerSdp);
});
afterAll(() => {
  ann.close();
  ben.close();
  host.stop();
});

describe('a room', () => {
  it('carries what one says to the other, and to the tap', async () => {
    await ann.talk(25);
    await eventually(() => expect(ben.heard.length).toBeGreaterThan(20));
    await eventually(() => expect(tapped().length).toBeGreaterThan(20));
    expect(tapped()[0]).toMatchObject({ externalUserId: 'ann', audible: true });
    expect(frames.filter(({ kind }) => kind === 'peer.joined')).toHaveLength(2);
  });

  it('lets nothing more through after a mute, in the middle of a sentence', async () => {
    const sentence = ann.talk(30);
    await sleep(200);
    impose({ ...freeToSpeak, publish: false });
    const [mutedAt, tappedBefore] = [ann.spoken, tapped().length];
    await sentence;
    await ben.settled();
    expect(ann.spoken - mutedAt).toBeGreaterThan(5);
    expect(ben.heardSince(mutedAt)).toBeLessThanOrEqual(1);
    expect(tapped().length - tappedBefore).toBeLessThanOrEqual(5); // what the tap had gathered before
    impose(freeToSpeak);
    const openedAt = ann.spoken;
    await ann.talk(15);
    await eventually(() => expect(ben.heardSince(openedAt)).toBeGreaterThan(10));
  });

  it('gives a shadow-muted speaker to the tap alone, marked', async () => {
    impose({ ...freeToSpeak, audible: false });
    const [heardBefore, tappedBefore] = [await ben.settled(), tapped().length];
    await ann.talk(20);
    expect(await ben.settled()).toBe(heardBefore);
    const marked = tapped().slice(tappedBefore);
    expect(marked.length).toBeGreaterThan(15);
    expect(marked.every(({ audible }) => !audible)).toBe(true);
    impose(freeToSpeak);
  });

  it('refuses a second publication of the same person by another token', async () => {
    const twin = new Speaker('twin');
    const another = { ...visitor('ann'), tokenId: 'another token' };
    await expect(
      twin.join(async (offer) => (await host.publish(offer, another, freeToSpeak)).answerSdp),
    ).rejects.toMatchObject({ code: 'already_publishing' });
    twin.close();
  });

  it('gives the tap all that was held up for eight seconds, and counts what was more', async () => {
    const held = new Speaker('held');
    await held.join(async (offer) => (await host.publish(offer, visitor('held'), freeToSpeak)).answerSdp);
    const arrived = () => tapped().filter(({ externalUserId }) => externalUserId === 'held').length;
    const missed = () => frames.reduce((sum, frame) => sum + (frame.kind === 'packets' ? frame.missed : 0), 0);
    await eventually(async () => {
      await held.talk(1);
      expect(arrived()).toBeGreaterThan(0); // it is connected
    });
    await sleep(500);
    const before = arrived();
    held.sayAtOnce(390);
    await eventually(() => expect(arrived() - before).toBe(390));
    expect(missed()).toBe(0);
    held.sayAtOnce(160);
    await eventually(() => expect(arrived() - before + missed()).toBe(550));
    expect(missed()).toBeGreaterThan(0);
    expect(missed()).toBeLessThanOrEqual(550 - 480);
    held.close();
  });

  it('is silent once the speaker is removed, whose token it names', async () => {
    expect(host.remove('p', null, 'ann', 'kicked')).toEqual(['token of ann']);
    const heardBefore = await ben.settled();
    await ann.talk(15);
    expect(await ben.settled()).toBe(heardBefore);
    expect(frames).toContainEqual(
      expect.objectContaining({ kind: 'peer.left', externalUserId: 'ann', reason: 'kicked' }),
    );
  });
});
