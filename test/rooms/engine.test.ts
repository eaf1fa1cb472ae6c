import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedRooms } from '../../daemon/modules/rooms/embedded/engine.js';
import { freeToSpeak, type RoomEvent, type Visitor } from '../../daemon/modules/rooms/media/engine.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { eventually } from '../support/eventually.js';
import { Speaker } from '../support/room-peers.js';

const visitor: Visitor = {
  projectId: 'p',
  roomId: 'demo',
  externalUserId: 'ann',
  name: 'Ann',
  userData: {},
  tokenId: 't1',
};
const events: RoomEvent[] = [];
let rooms: EmbeddedRooms;
beforeAll(async () => {
  rooms = new EmbeddedRooms({ port: 0, bindAddress: '127.0.0.1', announcedAddress: null }, createLogger('silent'));
  rooms.onEvent((event) => events.push(event));
  await rooms.start();
});
afterAll(() => rooms.stop());

const until = async (type: RoomEvent['type']) => {
  for (let tries = 0; !events.some((event) => event.type === type); tries += 1) {
    if (tries > 100) throw new Error(`No ${type} came.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const join = async () => {
  const speaker = new Speaker('ann');
  await speaker.join(async (offer) => (await rooms.publish(offer, visitor, freeToSpeak)).answerSdp);
  return speaker;
};

describe('the room process', () => {
  it('is started again when it dies; those who were there may come back by the same token', async () => {
    const before = rooms.processId;
    const ann = await join();
    await until('peer.joined');
    if (before === null) throw new Error('There is no room process.');
    process.kill(before, 'SIGKILL');
    await until('engine.restarted');
    expect(events).toContainEqual(expect.objectContaining({ type: 'peer.left', reason: 'restarted' }));
    expect(rooms.processId).not.toBe(before);
    events.length = 0;
    const again = await join();
    await until('peer.joined');
    expect(rooms.room({ projectId: 'p', roomId: 'demo' })?.peers.map(({ name }) => name)).toEqual(['Ann']);
    ann.close();
    again.close();
  });

  it('is ended when it falls silent, and started again', { timeout: 60_000 }, async () => {
    const before = rooms.processId;
    if (before === null) throw new Error('There is no room process.');
    events.length = 0;
    process.kill(before, 'SIGSTOP');
    await eventually(() => expect(events.map(({ type }) => type)).toContain('engine.restarted'));
    expect(rooms.processId).not.toBe(before);
  });

  it('leaves no process behind', async () => {
    const { processId } = rooms;
    await rooms.stop();
    expect(() => process.kill(processId ?? 0, 0)).toThrow('ESRCH');
  });
});
