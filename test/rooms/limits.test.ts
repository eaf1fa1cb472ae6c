import { createSocket } from 'node:dgram';
import { initLogger } from 'node-datachannel';
import { afterEach, describe, expect, it } from 'vitest';
import { RoomHost } from '../../daemon/modules/rooms/embedded/host.js';
import { safely } from '../../daemon/modules/rooms/embedded/safe.js';
import { roomLimits, type Visitor } from '../../daemon/modules/rooms/media/engine.js';
import { eventually } from '../support/eventually.js';
import { deadOffer } from '../support/room-client.js';
import { freeToSpeak, Listener } from '../support/room-peers.js';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });

describe('the rooms of an installation', () => {
  let host: RoomHost;
  afterEach(() => host.stop());
  const open = async (limits: Partial<ConstructorParameters<typeof RoomHost>[0]['limits']> = {}) => {
    initLogger('Error', () => {});
    const media = {
      port: await freePort(),
      bindAddress: '127.0.0.1',
      announcedAddress: null,
      announcesLoopback: false,
    };
    const safe = safely((error) => {
      throw error;
    });
    host = new RoomHost({
      media,
      safe,
      nowMs: () => performance.now(),
      up: (_, sent) => sent?.(),
      limits: { ...roomLimits, ...limits },
    });
    host.start();
  };
  const visitor = (projectId: string, roomId: string, externalUserId: string, observer = false): Visitor => ({
    projectId,
    roomId,
    externalUserId,
    name: externalUserId,
    userData: {},
    tokenId: externalUserId,
    observer,
  });
  const listen = (projectId: string, roomId: string, person: string) =>
    host.subscribe(deadOffer('whep'), visitor(projectId, roomId, person));

  it('are limited for each project: one that opens all it may leaves room for others', async () => {
    await open({ rooms: { each: 3, together: 100 } });
    for (const room of ['1', '2', '3']) await listen('greedy', room, 'ann');
    await expect(listen('greedy', '4', 'ann')).rejects.toMatchObject({ code: 'room_limit_reached' });
    await listen('greedy', '3', 'ben'); // a room that is open takes people still
    await listen('modest', '1', 'ann');
    host.remove('greedy', '1', null, 'room_closed');
    await listen('greedy', '4', 'ann');
  });

  it('are shared by projects when the installation has as many as it may', async () => {
    await open({ rooms: { each: 100, together: 6 } });
    for (const room of ['1', '2', '3']) await listen('greedy', room, 'ann');
    await expect(listen('greedy', '4', 'ann')).rejects.toMatchObject({ code: 'room_limit_reached' });
    await listen('modest', '1', 'ann');
  });

  it('give the seats of those who never connect back', async () => {
    await open({ connectMs: 300, connecting: { each: 4, together: 100 } });
    for (const person of ['1', '2', '3', '4']) await listen('p', 'full of nobody', person);
    await expect(listen('p', 'another', '5')).rejects.toMatchObject({ code: 'overloaded' });
    await listen('other project', 'another', '5');
    await eventually(() => expect(host.stats()).toMatchObject({ subscriptions: 0 }));
    const ann = new Listener('ann', 1);
    await ann.join(async (offer) => (await host.subscribe(offer, visitor('p', 'full of nobody', 'ann'))).answerSdp);
    ann.close();
  });

  it('hold so many people, and a few observers besides', async () => {
    const { peersPerRoom, observersPerRoom } = roomLimits;
    const most = { each: 1_000, together: 1_000 };
    await open({ connecting: most });
    const enter = (id: string, observer: boolean) => host.subscribe(deadOffer('whep'), visitor('p', 'r', id, observer));
    for (let index = 0; index < peersPerRoom; index += 1) await enter(`${index}`, false);
    await expect(enter('late', false)).rejects.toMatchObject({ code: 'room_full' });
    for (let index = 0; index < observersPerRoom; index += 1) await enter(`observer:${index}`, true);
    await expect(enter('observer:late', true)).rejects.toMatchObject({ code: 'room_full' });
  });

  it('hold no more than one seat of a kind for one token, however often it offers', async () => {
    await open();
    const offers = Array.from({ length: 20 }, () => [
      host.publish(deadOffer('whip'), visitor('p', 'r', 'eve'), freeToSpeak),
      host.subscribe(deadOffer('whep'), visitor('p', 'r', 'eve')),
    ]);
    await Promise.allSettled(offers.flat());
    expect(host.stats()).toMatchObject({ publications: 1, subscriptions: 1 });
  });
});
