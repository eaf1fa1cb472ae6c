import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { requestAccess } from '../../src/client/room/request-access.js';
import type { RoomAccess } from '../../src/client/room/room-access.js';
import { type HeardFrame, RoomListener } from '../../src/client/voice/listener.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, lendSpeech, recording, speechForTests } from '../support/speech-clips.js';
import { openStream, type RawStream } from '../support/stream.js';
import { tone } from '../support/tone.js';

const speech = await speechForTests();
const patienceMs = 30_000;
const minuteMs = 60_000;
let aheadMs = 0;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_TRANSCRIBER: speech === null ? 'off' : 'pocketsphinx' },
    prepare: (dataDir) => {
      lendSpeech(speech, dataDir);
    },
  });
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const setMode = (body: { mode: 'manual' | 'disabled' | 'automatic'; password?: string }) =>
  daemon.client.call(settingsRoutes.e2eEncryption, { params: params(), body });
const access = (userId: string, roomId: string) => requestAccess(daemon.client, daemon.projectId, { roomId, userId });
const listenerIn = async (theirs: RoomAccess) => {
  const heard: HeardFrame[] = [];
  const listener = new RoomListener(theirs, { onFrame: (frame) => heard.push(frame) });
  await listener.join();
  return { listener, heard };
};
const speakerIn = async (theirs: RoomAccess) => {
  const speaker = new RoomPublisher(theirs);
  await speaker.join();
  return speaker;
};
const refused = async (theirs: RoomAccess) => {
  await expect(new RoomPublisher(theirs).join()).rejects.toMatchObject({
    status: 401,
    code: 'room_token_invalid',
    message: expect.stringContaining('Ask for a new one.'),
  });
  const stream = await fetch(`${theirs.url}/events`, { headers: { authorization: `Bearer ${theirs.token}` } });
  expect([stream.status, await stream.json()]).toEqual([401, expect.objectContaining({ code: 'room_token_invalid' })]);
};
const isRemoval = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'room.removed';
const isEmpty = (roomId: string) =>
  eventually(async () => {
    const rooms = await daemon.client.call(roomRoutes.list, { params: params() });
    const peers = rooms.filter((room) => room.roomId === roomId).flatMap((room) => room.peers);
    expect(peers.filter(({ bot }) => !bot)).toEqual([]);
  }, patienceMs);

describe('a room that is encrypted end to end', { timeout: 60_000 }, () => {
  it('gives everybody its own random key with the token, and the sound opens with it alone', async () => {
    await setMode({ mode: 'automatic' });
    const [anns, bens, elsewhere] = [await access('ann', 'a'), await access('ben', 'a'), await access('ann', 'b')];
    expect(anns.encryption).toEqual({ password: expect.stringMatching(/^[\w-]{43}$/), keyIndex: 0 });
    expect(bens.encryption).toEqual(anns.encryption);
    expect(elsewhere.encryption?.password).not.toBe(anns.encryption?.password);

    const ben = await listenerIn(bens);
    const eve = await listenerIn({ ...(await access('eve', 'a')), encryption: { password: 'guessed', keyIndex: 0 } });
    const ann = await speakerIn(anns);
    await ann.play(speechFrames(tone(1), 0));
    await eventually(() => expect(ben.heard.length).toBeGreaterThan(40), patienceMs);
    expect(ben.listener.refused).toBe(0);
    await eventually(() => expect(eve.listener.refused).toBeGreaterThan(40), patienceMs);
    expect(eve.heard).toEqual([]);
    await Promise.all([ann.leave(), ben.listener.leave(), eve.listener.leave()]);
  });

  it('carries nothing that is sent in clear, or sealed with another key', async () => {
    await setMode({ mode: 'manual', password: 'open sesame' });
    const bens = await access('ben', 'c');
    expect(bens.encryption).toEqual({ password: 'open sesame', keyIndex: 0 });
    const ben = await listenerIn(bens);
    const inClear = await speakerIn({ ...(await access('clear', 'c')), encryption: null });
    const wrong = { password: 'open barley', keyIndex: 0 };
    const otherKey = await speakerIn({ ...(await access('other', 'c')), encryption: wrong });
    const ann = await speakerIn(await access('ann', 'c'));
    await Promise.all([inClear, otherKey, ann].map((speaker) => speaker.play(speechFrames(tone(1), 0))));
    await eventually(() => expect(ben.heard.length).toBeGreaterThan(40), patienceMs);
    expect(new Set(ben.heard.map(({ speaker }) => speaker))).toEqual(new Set(['ann']));
    expect(ben.listener.refused).toBe(0);
    await Promise.all([inClear.leave(), otherKey.leave(), ann.leave(), ben.listener.leave()]);
  });

  it('has a new key once it has stood empty, and no earlier token opens it then', async () => {
    await setMode({ mode: 'automatic' });
    const first = await access('ann', 'd');
    const ann = await speakerIn(first);
    aheadMs += 6 * minuteMs;
    expect((await access('ben', 'd')).encryption).toEqual(first.encryption); // somebody is there
    await ann.leave();
    await isEmpty('d');
    await daemon.restart();
    const again = await access('ann', 'd');
    expect(again.encryption).toEqual(first.encryption); // not for long enough
    aheadMs += 6 * minuteMs;
    const later = await access('ann', 'd');
    expect(later.encryption).toEqual({ password: expect.stringMatching(/^[\w-]{43}$/), keyIndex: 1 });
    expect(later.encryption?.password).not.toBe(first.encryption?.password);
    expect((await access('ben', 'd')).encryption).toEqual(later.encryption);
    await refused({ ...first, url: later.url });
  });

  it('has a new key after a restart, too, if nobody comes back', async () => {
    await setMode({ mode: 'automatic' });
    const ann = await speakerIn(await access('ann', 'h'));
    await daemon.restart();
    await eventually(async () => {
      aheadMs += 6 * minuteMs; // the second time at the latest, the room has stood empty
      expect((await access('ben', 'h')).encryption?.keyIndex).toBe(1);
    }, patienceMs);
    await ann.leave().catch(() => {});
  });

  it('opens to no earlier token after any change of its encryption', async () => {
    await setMode({ mode: 'manual', password: 'open sesame' });
    const first = await access('ann', 'f');
    const tokens = [first];
    await setMode({ mode: 'manual', password: 'open barley' }); // of the same index
    await refused(first);
    tokens.push(await access('ann', 'f'));
    await setMode({ mode: 'disabled' });
    for (const token of tokens) await refused(token);
    tokens.push(await access('ann', 'f'));
    await setMode({ mode: 'automatic' });
    for (const token of tokens) await refused(token);
  });

  it('ends the streams of those who only read, and not of those who are in the room, after a change', async () => {
    await setMode({ mode: 'manual', password: 'open sesame' });
    const [anns, eves] = [await access('ann', 'k'), await access('eve', 'k')];
    const ann = await speakerIn(anns);
    const streamOf = ({ url, token }: RoomAccess) => openStream(`${url}/events`, { authorization: `Bearer ${token}` });
    const [ofAnn, ofEve] = [await streamOf(anns), await streamOf(eves)];
    await setMode({ mode: 'manual', password: 'open barley' });
    const last = async (stream: RawStream) => {
      for (;;) {
        const { data } = await stream.next(patienceMs);
        if (isRemoval(data)) return data;
      }
    };
    expect(await last(ofEve)).toMatchObject({ reason: 'expired', rejoin: false });
    await ofEve.ended;
    await ann.leave(); // hers goes on, and ends now that she only reads
    await isEmpty('k');
    expect(await last(ofAnn)).toMatchObject({ reason: 'expired' });
  });

  it('keeps its key for a day after the last one has left, and no longer', async () => {
    await setMode({ mode: 'automatic' });
    const ann = await speakerIn(await access('ann', 'g'));
    await access('ann', 'never entered');
    await ann.leave();
    await isEmpty('g');
    aheadMs += 25 * 60 * minuteMs;
    await daemon.restart();
    const database = await Database.connect(daemon.databaseUrl);
    const kept = async () => (await database.read.roomKey.findMany()).map(({ roomId }) => roomId);
    await eventually(async () => expect(await kept()).not.toContain('g'), patienceMs);
    expect(await kept()).toContain('never entered');
    await database.close();
  });

  it('hands out no key when encryption is disabled', async () => {
    await setMode({ mode: 'disabled' });
    expect((await access('ann', 'e')).encryption).toBeNull();
  });
});

describe.skipIf(speech === null)('a session in an encrypted room', { timeout: 90_000 }, () => {
  const bot = (id: string) => daemon.client.call(sessionRoutes.get, { params: { ...params(), id } });
  const listening = async (roomId: string) => {
    const body = { title: roomId, externalRoomId: roomId };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    await eventually(async () => expect((await bot(id)).bot.state).toBe('listening'), patienceMs);
    return id;
  };

  it('is written down, and still is after the key has changed', async () => {
    if (speech === null) return;
    await setMode({ mode: 'automatic' });
    aheadMs = 0; // the bot's clock is that of the packets
    const id = await listening('f');
    const sentence = recording(joined(0.5, await clip(speech, 'goforward')));
    const heard = async (count: number) =>
      eventually(async () => {
        const messages = await daemon.client.call(sessionRoutes.messages, { params: { ...params(), id } });
        const spoken = messages.filter(({ origin }) => origin === 'speech').map(({ content }) => content);
        expect(spoken).toEqual(Array.from({ length: count }, () => 'go forward ten meters'));
      }, patienceMs);
    for (const count of [1, 2]) {
      if (count > 1) aheadMs = 6 * minuteMs;
      const theirs = await access('ann', 'f');
      aheadMs = 0;
      expect(theirs.encryption?.keyIndex).toBe(count - 1);
      const ann = await speakerIn(theirs);
      await ann.play(speechFrames(sentence, 100));
      await ann.leave(); // which ends the utterance, too
      await Promise.all([heard(count), isEmpty('f')]);
    }
    await daemon.client.call(sessionRoutes.stop, { params: { ...params(), id } });
  });

  it('says that the password is wrong when nothing opens', async () => {
    await setMode({ mode: 'manual', password: 'open sesame' });
    const id = await listening('g');
    const ann = await speakerIn({ ...(await access('ann', 'g')), encryption: null });
    await ann.play(speechFrames(tone(2), 0));
    await eventually(async () => expect((await bot(id)).bot.cause).toBe('e2ee_password_wrong'), patienceMs);
    await ann.leave();
  });
});
