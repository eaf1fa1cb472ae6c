import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedRooms } from '../../daemon/modules/rooms/embedded/engine.js';
import { usualPingEveryMs } from '../../daemon/modules/rooms/embedded/room-child.js';
import type { RoomEvent, Visitor } from '../../daemon/modules/rooms/media/engine.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { ignoreFaults } from '../../daemon/platform/processes/watched-process.js';
import { eventually } from '../support/eventually.js';
import { freeToSpeak, Speaker } from '../support/room-peers.js';
import { roomProcesses } from '../support/room-process.js';

const visitor: Visitor = {
  projectId: 'p',
  roomId: 'demo',
  externalUserId: 'ann',
  name: 'Ann',
  userData: {},
  tokenId: 't1',
  observer: false,
};
const media = { port: 0, bindAddress: '127.0.0.1', announcedAddress: null, announcesLoopback: false, orphanMs: null };
const events: RoomEvent[] = [];
let rooms: EmbeddedRooms;
beforeAll(async () => {
  rooms = new EmbeddedRooms(media, createLogger('silent'));
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
  it('starts for the first who enters; until then nothing is wrong and nothing is counted', async () => {
    const lazy = new EmbeddedRooms(media, createLogger('silent'));
    await lazy.start();
    expect(lazy).toMatchObject({ processId: null, problem: null });
    expect(await lazy.stats()).toMatchObject({ rooms: 0, packetsIn: 0 });
    expect(await lazy.close(visitor, 'ann', 'r1')).toBe(false);
    expect(await lazy.remove('p', null, null, 'kicked')).toEqual([]);
    const people = ['ann', 'ben'].map((externalUserId) => ({ ...visitor, externalUserId, tokenId: externalUserId }));
    const joined = await Promise.all(
      people.map(async (one) => {
        const speaker = new Speaker(one.externalUserId);
        await speaker.join(async (offer) => (await lazy.publish(offer, one, freeToSpeak)).answerSdp);
        return speaker;
      }),
    );
    expect(roomProcesses().filter((pid) => pid === lazy.processId)).toHaveLength(1);
    for (const speaker of joined) speaker.close();
    await lazy.stop();
  });

  it('and the threads of its media library have a higher priority where the system allows it', async () => {
    const { PRIORITY_HIGH } = constants.priority;
    const isAllowed = spawnSync(process.execPath, ['-e', `os.setPriority(${PRIORITY_HIGH})`]).status === 0;
    const expected = isAllowed ? PRIORITY_HIGH : getPriority();
    const speaker = await join();
    const pid = rooms.processId ?? 0;
    expect(getPriority(pid)).toBe(expected);
    if (process.platform === 'linux') {
      const threads = readdirSync(`/proc/${pid}/task`).map((thread) => ({
        name: readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim(),
        priority: getPriority(Number(thread)),
      }));
      expect(threads).toContainEqual({ name: 'juice mux', priority: expected });
      expect(threads).toContainEqual({ name: 'RTC worker', priority: expected });
    }
    speaker.close();
    await eventually(() => expect(rooms.room(visitor)).toBeNull());
  });

  it('holds its port from the start of the daemon', async () => {
    const holder = createSocket('udp4').bind(0, media.bindAddress);
    await once(holder, 'listening');
    const { port } = holder.address();
    const rooms = new EmbeddedRooms({ ...media, port }, createLogger('silent'));
    await expect(rooms.start()).rejects.toThrow(`cannot run on UDP port ${port}: bind EADDRINUSE`);
    await new Promise<void>((resolve) => holder.close(resolve));
    await rooms.start();
    const late = createSocket('udp4').bind(port, media.bindAddress);
    await expect(once(late, 'listening')).rejects.toThrow('EADDRINUSE');
    await rooms.stop();
  });

  it('says so when its first start fails, refuses for now, and is tried again', async () => {
    const rooms = new EmbeddedRooms(media, createLogger('silent'));
    await rooms.start();
    const ann = new Speaker('ann');
    const enter = () => ann.join(async (offer) => (await rooms.publish(offer, visitor, freeToSpeak)).answerSdp);
    const refused = expect(enter()).rejects.toMatchObject({ code: 'room_unavailable' });
    await eventually(() => process.kill(rooms.processId ?? Number.NaN, 'SIGKILL'));
    await refused;
    expect(rooms.problem).toMatch('is being started again');
    await eventually(() => expect(rooms.problem).toBeNull());
    const ben = new Speaker('ben');
    await ben.join(async (offer) => (await rooms.publish(offer, visitor, freeToSpeak)).answerSdp);
    for (const speaker of [ann, ben]) speaker.close();
    await rooms.stop();
  });

  it('is started again when it dies; those who were there may come back by the same token', async () => {
    const ann = await join();
    const before = rooms.processId;
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

  it('is ended when it falls silent, and started again', async () => {
    const impatient = new EmbeddedRooms(media, createLogger('silent'), ignoreFaults, 100);
    const told: RoomEvent['type'][] = [];
    impatient.onEvent(({ type }) => told.push(type));
    await impatient.start();
    const ann = new Speaker('ann');
    await ann.join(async (offer) => (await impatient.publish(offer, visitor, freeToSpeak)).answerSdp);
    const before = impatient.processId;
    if (before === null) throw new Error('There is no room process.');
    process.kill(before, 'SIGSTOP');
    await eventually(() => expect(told).toContain('engine.restarted'));
    expect(impatient.processId).not.toBe(before);
    ann.close();
    await impatient.stop();
  });

  it.each([0, 50, 150, 400])(
    "never runs twice when it dies %d ms before the rooms are another daemon's, and is gone after the stop",
    async (waitMs) => {
      const passing = new EmbeddedRooms(media, createLogger('silent'));
      await passing.start();
      const own = new Set<number>();
      const before = new Set(roomProcesses());
      const noticed = () => {
        for (const pid of roomProcesses()) if (!before.has(pid)) own.add(pid);
        return [...own].filter((pid) => roomProcesses().includes(pid));
      };
      const enter = async () => {
        const speaker = new Speaker('ann');
        await speaker.join(async (offer) => (await passing.publish(offer, visitor, freeToSpeak)).answerSdp);
        return speaker;
      };
      const first = await enter();
      process.kill(passing.processId ?? Number.NaN, 'SIGKILL');
      await eventually(() => expect(passing.processId).toBeNull());
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await passing.pause();
      expect(noticed()).toEqual([]);
      const second = await enter();
      for (let look = 0; look < 10; look += 1) {
        expect(noticed()).toEqual([passing.processId]);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await passing.remove('p', null, 'ann', 'kicked');
      await eventually(() => expect(passing.room(visitor)).toBeNull());
      await passing.stop();
      await expect(enter()).rejects.toMatchObject({ code: 'room_unavailable' });
      expect(noticed()).toEqual([]);
      for (const speaker of [first, second]) speaker.close();
    },
  );

  it('leaves no process behind', async () => {
    const { processId } = rooms;
    await rooms.stop();
    expect(() => process.kill(processId ?? 0, 0)).toThrow('ESRCH');
  });

  it('dates what is said by the clock of the daemon, also after that was set', async () => {
    let setByMs = 0;
    const now = () => new Date(Date.now() + setByMs);
    const dated = new EmbeddedRooms(media, createLogger('silent'), ignoreFaults, usualPingEveryMs, now);
    await dated.start();
    const speaker = new Speaker('ann');
    await speaker.join(async (offer) => (await dated.publish(offer, visitor, freeToSpeak)).answerSdp);
    const tap = dated.tap(visitor, { externalUserId: 'bot', name: 'Bot', userData: null });
    const packets = tap[Symbol.asyncIterator]();
    for (const ms of [0, 3_600_000, -3_600_000]) {
      setByMs = ms;
      await speaker.talk(25);
      const { value } = await packets.next();
      expect(Math.abs(value.arrivedAtMs - now().getTime())).toBeLessThan(60_000);
      for (let rest = 1; rest < 25; rest += 1) await packets.next();
    }
    tap.close();
    speaker.close();
    await dated.stop();
  });
});
