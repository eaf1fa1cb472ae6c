import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RemovedFromRoom } from '../../../src/client/room/errors.js';
import { requestAccess } from '../../../src/client/room/request-access.js';
import { RoomEvents } from '../../../src/client/room/room-events.js';
import { Seat } from '../../../src/client/room/seat.js';
import { type HeardFrame, RoomListener } from '../../../src/client/voice/listener.js';
import { MediaPeer, opusLine } from '../../../src/client/voice/media-peer.js';
import { RoomPublisher } from '../../../src/client/voice/publisher.js';
import { speechFrames } from '../../../src/client/voice/speech-frames.js';
import { roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { roomProcess } from '../../support/room-process.js';
import { tone } from '../../support/tone.js';

const roomId = 'demo';
const patienceMs = 30_000;
let daemon: TestDaemon;
const told: string[] = [];
const tell = (line: string) => told.push(line);
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const access = (userId: string) => requestAccess(daemon.client, daemon.projectId, { roomId, userId });
const publisherOf = async (userId: string) => {
  const publisher = new RoomPublisher(await access(userId), { report: tell });
  await publisher.join();
  return publisher;
};
const listenerOf = async (userId: string) => {
  const heard: HeardFrame[] = [];
  const listener = new RoomListener(await access(userId), { onFrame: (frame) => heard.push(frame), report: tell });
  await listener.join();
  const from = (speaker: string) => heard.filter((frame) => frame.speaker === speaker).length;
  return { listener, heard, from };
};
const expectAll = (check: () => void) => eventually(check, patienceMs);

describe('a listener', { timeout: 60_000 }, () => {
  it('knows by name who speaks, of two who speak at once', async () => {
    const ear = await listenerOf('ear');
    const [ann, ben] = await Promise.all([publisherOf('ann'), publisherOf('ben')]);
    await Promise.all([ann.play(speechFrames(tone(1), 0)), ben.play(speechFrames(tone(1), 0))]);
    await expectAll(() => expect(Math.min(ear.from('ann'), ear.from('ben'))).toBeGreaterThan(40));
    expect(ear.listener).toMatchObject({ unnamed: 0, refused: 0 });
    await Promise.all([ann.leave(), ben.leave(), ear.listener.leave()]);
    await ear.listener.ended;
  });
});

describe('a place in a room', { timeout: 90_000 }, () => {
  it('is taken again when the room process dies, by speaker and listener', async () => {
    const [ann, ear] = [await publisherOf('ann'), await listenerOf('ear')];
    const enough = new AbortController();
    const speaking = ann.play(speechFrames(tone(60), 0), { signal: enough.signal });
    await expectAll(() => expect(ear.from('ann')).toBeGreaterThan(10));
    process.kill(roomProcess(), 'SIGKILL');
    await expectAll(() => expect(told.filter((line) => line === 'In the room again.')).toHaveLength(2));
    const before = ear.from('ann');
    await expectAll(() => expect(ear.from('ann')).toBeGreaterThan(before + 10));
    enough.abort();
    await speaking;
    await Promise.all([ann.leave(), ear.listener.leave()]);
  });

  it('stays taken when its former connection was closed shortly before it was taken again', async () => {
    const closed: (() => void)[] = [];
    const events = new RoomEvents(await access('ann'));
    const seat = new Seat(await access('ann'), events, {
      kind: 'whip',
      report: tell,
      newPeer: (onEnded) => {
        closed.push(() => onEnded('closed'));
        return new MediaPeer([opusLine('0', 'SendOnly')], { onPacket: () => {}, onEnded });
      },
    });
    await seat.enter();
    const [former] = closed;
    former?.();
    process.kill(roomProcess(), 'SIGKILL');
    await expectAll(() => expect(closed).toHaveLength(2));
    await expectAll(() => expect(seat.peer).not.toBeNull());
    const ended = seat.ended.then(
      () => 'left',
      (error: Error) => error.message,
    );
    await new Promise((resolve) => setTimeout(resolve, 2_000)); // longer than a seat waits for the reason
    await seat.leave();
    expect(await ended).toBe('left');
    events.close();
  });

  it('is lost for good by a kick, and the sentence of the daemon says so', async () => {
    const ann = await publisherOf('ann');
    const silenced = expect(ann.play(speechFrames(tone(60), 0))).rejects.toThrow(RemovedFromRoom);
    const params = { projectId: daemon.projectId, roomId, externalUserId: 'ann' };
    await eventually(() => daemon.client.call(roomRoutes.kick, { params }));
    await silenced;
    await expect(ann.ended).rejects.toThrow('A moderator removed you from the room');
  });

  it('goes to the newer of two connections of one person', async () => {
    const theirs = await access('ann');
    const [first, second] = [new RoomPublisher(theirs), new RoomPublisher(theirs)];
    await first.join();
    await second.join();
    await expect(first.ended).rejects.toThrow('from another window or device');
    await second.leave();
    await second.ended;
  });
});
