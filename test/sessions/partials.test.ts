/** Text of people who are still speaking: to streams that ask for it, and nowhere else. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PartialLines } from '../../src/client/partial-lines.js';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { PartialMessage } from '../../src/contract/sessions/partial-messages.js';
import { type Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { streamTicketRoutes } from '../../src/contract/streams/stream-tickets.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql } from '../support/postgresql.js';
import { clip, joined, lendSpeech, recording, speechForTests } from '../support/speech-clips.js';
import { openStream, type RawFrame, type RawStream } from '../support/stream.js';
import { TwoDaemons } from '../support/two-daemons.js';

const speech = await speechForTests();
const patienceMs = 60_000;

describe.skipIf(speech === null)('partials of a stream', { timeout: 180_000 }, () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon({
      settings: { EARSHOT_TRANSCRIBER: 'pocketsphinx' },
      prepare: (dataDir) => lendSpeech(speech, dataDir),
    });
  });
  afterAll(() => daemon.stop());

  const open = (query: string) =>
    openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?${query}`, {
      'x-api-key': daemon.apiKey,
    });
  /** Everything up to the message, which is the last. */
  const upToMessage = async (stream: RawStream): Promise<RawFrame[]> => {
    const frames: RawFrame[] = [];
    const isMessage = ({ data }: RawFrame) => (data as { type?: string }).type === 'message.created';
    while (!frames.some(isMessage)) frames.push(await stream.next(patienceMs));
    return frames;
  };
  const partialsOf = (frames: readonly RawFrame[]) => frames.filter(({ event }) => event === 'message.partial');

  it('come before the message, without an id; other streams, and the log, have none', async () => {
    if (speech === null) return;
    const params = { projectId: daemon.projectId };
    const body = { title: 'Demo', externalRoomId: 'demo' };
    const { id } = await daemon.client.call(sessionRoutes.create, { params, body });
    await eventually(async () => {
      expect((await daemon.client.call(sessionRoutes.get, { params: { ...params, id } })).bot.state).toBe('listening');
    }, patienceMs);
    const only = 'types=message.*&partials=true';
    const { url } = await daemon.client.call(streamTicketRoutes.createForProject, {
      params,
      body: { types: 'message.*', partials: true },
    });
    const streams = await Promise.all([
      open(only),
      open('types=message.*'),
      open(`${only}&user=ann`),
      openStream(url, {}),
      open(`${only}&user=ben`),
      open(`${only}&resources=session:${daemon.projectId}`),
    ]);
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const access = await requestAccess(daemon.client, daemon.projectId, { roomId: 'demo', userId: 'ann' });
    const ann = new RoomPublisher(access);
    await ann.join();
    const sentence = recording(joined(0.5, await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870')));
    const heard: RawFrame[][] = [[], [], [], []];
    const messagesOf = (frames: readonly RawFrame[]) =>
      frames.flatMap(({ data }) => {
        const { type, payload } = data as { type?: string; payload: { data: Message } };
        return type === 'message.created' ? payload.data : [];
      });
    const messageOf = (frames: readonly RawFrame[]) => messagesOf(frames).at(-1);
    /** Those that the last message replaces. */
    const partialsIn = (frames: readonly RawFrame[]) => {
      const [former, last] = [messagesOf(frames).at(-2)?.startMs ?? -1, messageOf(frames)?.startMs ?? -1];
      return partialsOf(frames)
        .map(({ data }) => PartialMessage.parse(data))
        .filter(({ startMs }) => startMs > former && startMs <= last);
    };
    let said = 0;
    // The first utterance starts the recogniser; on a busy machine that takes longer than the utterance.
    for (; said < 6 && partialsIn(heard[0] ?? []).length < 2; said++) {
      await ann.play(speechFrames(sentence, 1_500));
      const read = await Promise.all(streams.slice(0, 4).map(upToMessage));
      for (const [index, frames] of read.entries()) heard[index]?.push(...frames);
    }
    await ann.leave();
    const [asked = [], silent = [], ofAnn = [], ticketed = []] = heard;
    const message = messageOf(asked);
    expect(partialsIn(asked).length).toBeGreaterThan(1);
    for (const partial of partialsIn(asked))
      expect(partial).toMatchObject({
        ...{ projectId: daemon.projectId, sessionId: id, roomId: 'demo', externalUserId: 'ann', shadowMuted: false },
        ...{ timestamp: partialsIn(asked)[0]?.timestamp, senderName: message?.senderName },
      });
    expect(partialsIn(asked)[0]?.timestamp.localeCompare(message?.timestamp ?? '')).toBeLessThanOrEqual(0);
    expect(partialsIn(asked).at(-1)?.content).toMatch(/ /);
    expect(partialsOf(asked).filter((frame) => frame.id !== null)).toEqual([]);
    for (const frames of [ofAnn, ticketed]) expect(partialsOf(frames)).toEqual(partialsOf(asked));
    expect(partialsOf(silent)).toEqual([]);
    for (const stream of streams.slice(4)) await expect(stream.next(200)).rejects.toThrow('No event came in time');
    const replay = await open('since=earliest&partials=true');
    const types: string[] = [];
    while (types.filter((type) => type === 'message.created').length < said) {
      const frame = await replay.next();
      types.push(frame.event ?? (frame.data as { type: string }).type);
    }
    expect(types).not.toContain('message.partial');
    for (const stream of [...streams, replay]) stream.close();
    const stored = await daemon.client.call(sessionRoutes.messages, { params: { ...params, id } });
    expect(stored.map(({ content }) => content)).toContain(message?.content);
  });
});

describe.skipIf(speech === null || !hasPostgresql)(
  'partials of a room that another daemon has',
  { timeout: 180_000 },
  () => {
    it('reach its readers over PostgreSQL, and are stored nowhere', async () => {
      if (speech === null) return;
      const pair = await TwoDaemons.start({
        EARSHOT_TRANSCRIBER: 'pocketsphinx',
        EARSHOT_SPEECH_DIR: speech.speechDir,
      });
      try {
        const params = pair.params();
        const body = { title: 'Demo', externalRoomId: 'demo' };
        const { id } = await pair.client(0).call(sessionRoutes.create, { params, body });
        await eventually(async () => {
          const { bot } = await pair.client(0).call(sessionRoutes.get, { params: { ...params, id } });
          expect(bot.state).toBe('listening');
        }, patienceMs);
        const { key } = await pair.key(['events']);
        const path = `/api/projects/${pair.projectId}/events/stream?types=message.*&partials=true`;
        const stream = await openStream(`${pair.daemons[1].url}${path}`, { 'x-api-key': key });
        const ann = new RoomPublisher(
          await requestAccess(pair.client(0), pair.projectId, { roomId: 'demo', userId: 'ann' }),
        );
        await ann.join();
        const sentence = recording(
          joined(0.5, await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870')),
        );
        const partials: PartialMessage[] = [];
        // The daemon with the room learns of the reader within seconds; the recogniser starts then.
        for (let said = 0; said < 6 && partials.length === 0; said++) {
          await ann.play(speechFrames(sentence, 1_500));
          for (let isOver = false; !isOver; ) {
            const { event, data } = await stream.next(patienceMs);
            if (event === 'message.partial') partials.push(PartialMessage.parse(data));
            isOver = (data as { type?: string }).type === 'message.created';
          }
        }
        await ann.leave();
        stream.close();
        expect(partials[0]).toMatchObject({
          projectId: pair.projectId,
          sessionId: id,
          roomId: 'demo',
          externalUserId: 'ann',
        });
        const database = new pg.Client({ connectionString: pair.databaseUrl });
        await database.connect();
        const { rows } = await database.query<{ type: string }>('SELECT DISTINCT type FROM "DomainEvent"');
        await database.end();
        expect(rows.map(({ type }) => type)).not.toContain('message.partial');
      } finally {
        await pair.stop();
      }
    });
  },
);

describe('lines of people who are speaking', () => {
  const partial = (externalUserId: string, startMs: number, content: string): PartialMessage => ({
    ...{ projectId: 'p', sessionId: 's', roomId: 'r', externalUserId, senderName: externalUserId, content, startMs },
    ...{ timestamp: new Date(startMs).toISOString(), shadowMuted: false },
  });
  const said = (externalUserId: string, startMs: number) => ({ sessionId: 's', externalUserId, startMs });
  const contents = (lines: PartialLines) => lines.shown.map(({ content }) => content);

  it('are one each, until their message or their end', () => {
    const lines = new PartialLines(() => 0);
    lines.add(partial('ben', 200, 'we'));
    lines.add(partial('ann', 100, 'go'));
    lines.add(partial('ann', 100, 'go forward'));
    expect(contents(lines)).toEqual(['go forward', 'we']);
    lines.settle(said('ann', 50)); // what she said before
    expect(contents(lines)).toEqual(['go forward', 'we']);
    lines.settle(said('ann', 100));
    lines.add(partial('ben', 200, ''));
    expect(contents(lines)).toEqual([]);
  });

  it('leave what was said later in place, and go by themselves when their end was lost', () => {
    let nowMs = 0;
    const lines = new PartialLines(() => nowMs);
    lines.add(partial('ann', 300, 'next'));
    lines.add(partial('ann', 100, 'late'));
    lines.settle(said('ann', 100));
    expect(contents(lines)).toEqual(['next']);
    nowMs = 11_000;
    expect(contents(lines)).toEqual([]);
  });
});
