/** A text for everybody in a room: on their streams, in the transcript, in the log. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RoomEvents } from '../../src/client/room/room-events.js';
import { roomAnnouncementRoutes } from '../../src/contract/rooms/room-announcements.js';
import type { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';
import { openStream } from '../support/stream.js';

const text = 'The final begins at nine.';

describe('an announcement', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const announce = (roomId: string, words = text) =>
    daemon.client.call(roomAnnouncementRoutes.announce, { params: { ...params(), roomId }, body: { text: words } });

  it('reaches whoever reads the events of the room, the transcript and the log, and counts the people there', async () => {
    const roomId = randomUUID();
    const { id: sessionId } = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Final', externalRoomId: roomId, autoStart: false },
    });
    const token = await roomToken(daemon.client, daemon.projectId, roomId, 'ann');
    const ann = new Speaker('ann');
    await ann.join(answering(daemon.url, 'whip', roomId, token));
    const told: RoomStreamEvent[] = [];
    const events = new RoomEvents({ url: `${daemon.url}/rooms/${roomId}`, token, encryption: null });
    events.subscribe((event) => told.push(event));
    await events.open();
    await eventually(() => expect(told.map(({ type }) => type)).toContain('room.state'));
    const log = await openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=room.announced`, {
      'X-API-Key': daemon.apiKey,
    });

    const made = await announce(roomId);
    expect(made).toMatchObject({ roomId, text, sessionId, people: 1 });
    await eventually(() =>
      expect(told).toContainEqual({ type: 'room.announced', id: made.id, text, at: made.createdAt }),
    );
    const { people: _, ...data } = made;
    expect(await log.next()).toMatchObject({
      data: { resourceId: `room:${roomId}`, payload: { action: 'created', data } },
    });
    const messages = await daemon.client.call(sessionRoutes.messages, { params: { ...params(), id: sessionId } });
    expect(messages.at(-1)).toMatchObject({ type: 'system', content: `Announcement: ${text}`, externalUserId: null });
    for (const one of [events, ann, log]) one.close();
  });

  it('says where nobody is there, and is no line of other rooms', async () => {
    expect(await announce(randomUUID())).toMatchObject({ sessionId: null, people: 0 });
  });

  it('has words, and not too many', async () => {
    for (const words of ['   ', 'x'.repeat(501)])
      await expect(announce('hall', words)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('is made by a command', async () => {
    const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
    const roomId = randomUUID();
    const unknown = await cli.run(['rooms', 'announce', roomId, text]);
    expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining(`There is no room ${roomId}.`) });
    const body = { title: 'Empty', externalRoomId: roomId, autoStart: false };
    await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const { code, stderr } = await cli.run(['rooms', 'announce', roomId, text]);
    expect([code, stderr]).toEqual([0, `Nobody is in the room ${roomId} now.\n`]);
    expect(await cli.json(['rooms', 'announce', roomId, text])).toMatchObject({ roomId, text, people: 0 });
    cli.dispose();
  });
});
