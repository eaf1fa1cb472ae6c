import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { clip, joined, lendSpeech, recording, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();

let daemon: TestDaemon;
beforeAll(async () => {
  const prepare = (dataDir: string) => {
    if (speech === null) return;
    mkdirSync(dataDir, { recursive: true });
    lendSpeech(speech, dataDir);
  };
  daemon = await startDaemon({ settings: { EARSHOT_TRANSCRIBER: speech === null ? 'off' : 'pocketsphinx' }, prepare });
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const tokenFor = async (userId: string, roomId: string) =>
  (
    await daemon.client.call(tokenRoutes.generateForProject, {
      params: params(),
      body: { roomId, userId, displayName: userId },
    })
  ).token;
const post = (kind: 'whip' | 'whep', roomId: string, token: string) => async (offer: string) => {
  const response = await fetch(`${daemon.url}/rooms/${roomId}/${kind}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' },
    body: offer,
  });
  if (response.status !== 201)
    throw new Error(`${response.status} ${((await response.json()) as { code: string }).code}`);
  expect(response.headers.get('location')).toMatch(new RegExp(`^/rooms/${roomId}/${kind}/`));
  return response.text();
};
const enter = async (name: string, roomId: string) => {
  const speaker = new Speaker(name);
  await speaker.join(post('whip', roomId, await tokenFor(name, roomId)));
  return speaker;
};
const eventually = async <T>(read: () => Promise<T>, until: (value: T) => boolean, tries = 150): Promise<T> => {
  for (let left = tries; ; left -= 1) {
    const value = await read();
    if (until(value) || left === 0) return value;
    await sleep(100);
  }
};

describe('a room of the daemon', () => {
  it('is silenced by a mute before the answer comes, and opened again by its end', async () => {
    const ann = await enter('ann', 'arena');
    const ben = new Listener('ben', 4);
    await ben.join(post('whep', 'arena', await tokenFor('ben', 'arena')));
    await ann.talk(15);
    expect(await ben.settled()).toBeGreaterThan(10);

    const endSentence = ann.talkOn();
    const sanction = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: 'ann' },
    });
    const mutedAt = ann.spoken;
    await eventually(
      async () => ann.spoken - mutedAt,
      (spoken) => spoken > 10,
    );
    await endSentence();
    await ben.settled();
    expect(ann.spoken - mutedAt).toBeGreaterThan(5);
    expect(ben.heardSince(mutedAt)).toBeLessThanOrEqual(1);
    const [arena] = await daemon.client.call(roomRoutes.list, { params: params() });
    const session = await daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Final', externalRoomId: 'arena', autoStart: false },
    });
    const shown = await daemon.client.call(roomRoutes.get, { params: { ...params(), roomId: 'arena' } });
    expect([arena?.sessionId, shown.sessionId]).toEqual([null, session.id]);
    expect(shown.peers.map(({ externalUserId, muted }) => [externalUserId, muted])).toEqual(
      expect.arrayContaining([
        ['ann', true],
        ['ben', false],
      ]),
    );

    await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id: sanction.id }, body: {} });
    const openedAt = ann.spoken;
    await ann.talk(15);
    await ben.settled();
    expect(ben.heardSince(openedAt)).toBeGreaterThan(10);
    ann.close();
    ben.close();
  });

  it('shows whoever came without a name by the one that the project knows', async () => {
    await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'u3', displayName: 'Cleo' },
    });
    const [known, stranger] = [await enter('u3', 'lobby'), await enter('u4', 'lobby')];
    const room = { ...params(), roomId: 'lobby' };
    const there = await eventually(
      () => daemon.client.call(roomRoutes.get, { params: room }),
      ({ peers }) => peers.length === 2,
    );
    expect(there.peers.map(({ externalUserId, displayName }) => [externalUserId, displayName]).sort()).toEqual([
      ['u3', 'Cleo'],
      ['u4', 'u4'],
    ]);
    for (const one of [known, stranger]) one.close();
  });

  it('refuses a banned person at the door, and a kicked one by the same token', async () => {
    const token = await tokenFor('eve', 'arena');
    const eve = new Speaker('eve');
    await eve.join(post('whip', 'arena', token));
    const rooms = await eventually(
      () => daemon.client.call(roomRoutes.list, { params: params() }),
      (all) => all.some(({ peers }) => peers.some(({ externalUserId }) => externalUserId === 'eve')),
    );
    expect(rooms.find(({ roomId }) => roomId === 'arena')?.peers).toContainEqual(
      expect.objectContaining({ externalUserId: 'eve', publishing: true, muted: false }),
    );
    await daemon.client.call(roomRoutes.kick, { params: { ...params(), roomId: 'arena', externalUserId: 'eve' } });
    await expect(new Speaker('eve again').join(post('whip', 'arena', token))).rejects.toThrow('401 room_token_invalid');

    const later = await tokenFor('eve', 'arena');
    await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', externalUserId: 'eve', duration: 600 },
    });
    await expect(new Speaker('eve banned').join(post('whip', 'arena', later))).rejects.toThrow(
      '403 participant_banned',
    );
    await expect(tokenFor('eve', 'arena')).rejects.toMatchObject({ code: 'participant_banned' });
    eve.close();
  });

  it('opens to nobody without its token', async () => {
    await expect(new Speaker('nobody').join(post('whip', 'arena', 'nonsense'))).rejects.toThrow(
      '401 room_token_invalid',
    );
    const elsewhere = await tokenFor('ann', 'lobby');
    await expect(new Speaker('ann').join(post('whip', 'arena', elsewhere))).rejects.toThrow('401 room_token_invalid');
  });
});

describe.skipIf(speech === null)('a session', () => {
  it('writes down who said what', { timeout: 60_000 }, async () => {
    if (speech === null) return;
    const body = { title: 'Demo', externalRoomId: 'demo' };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const path = { ...params(), id };
    const session = await eventually(
      () => daemon.client.call(sessionRoutes.get, { params: path }),
      ({ bot }) => bot.state === 'listening',
    );
    expect(session.bot.state).toBe('listening');

    const ann = new RoomPublisher(
      await requestAccess(daemon.client, daemon.projectId, { roomId: 'demo', userId: 'ann' }),
    );
    await ann.join();
    await ann.play(speechFrames(recording(joined(0.5, await clip(speech, 'goforward'))), 1_500));
    const messages = await eventually(
      () => daemon.client.call(sessionRoutes.messages, { params: path }),
      (all) => all.some(({ origin }) => origin === 'speech'),
    );
    const spoken = messages.find(({ origin }) => origin === 'speech');
    expect(spoken?.content).toContain('go forward ten meters');
    expect(spoken).toMatchObject({
      senderName: 'ann',
      externalUserId: 'ann',
      status: 'recognised',
      asr: { engine: 'pocketsphinx', quality: 'basic' },
    });
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'system', senderName: '[System]', content: 'ann joined' }),
    );

    expect(spoken?.asr?.unheard).toBeNull();
    expect(spoken?.asr?.confidence).toBeGreaterThan(0.4);
    expect(spoken?.asr?.words.map(({ text }) => text).join(' ')).toBe(spoken?.content);

    // A project that wants more certainty than there is: the line is stored, and plugins are not run on it.
    await daemon.client.call(settingsRoutes.update, { params: params(), body: { speechConfidenceMin: 1 } });
    const plugin = { pluginId: 'toxicity', enabled: true };
    await daemon.client.call(pluginInstanceRoutes.create, { params: params(), body: plugin });
    await ann.play(speechFrames(recording(joined(0.5, await clip(speech, 'cards/001'))), 1_500));
    const uncertain = (
      await eventually(
        () => daemon.client.call(sessionRoutes.messages, { params: path }),
        (all) => all.filter(({ origin }) => origin === 'speech').length > 1,
      )
    ).at(-1);
    expect(uncertain).toMatchObject({ content: 'ten of clubs', status: 'recognised' });
    expect(uncertain?.asr).toMatchObject({ unheard: 'low_confidence', signal: { overlapShare: 0 } });
    const { plugins } = await eventually(
      () => daemon.client.call(sessionActionRoutes.list, { params: path }),
      (all) => all.plugins[0]?.actions[0]?.status === 'skipped',
    );
    expect(plugins[0]?.actions[0]?.error).toBe('what was said is too uncertain (low_confidence)');

    expect(await daemon.client.call(sessionRoutes.stop, { params: path })).toMatchObject({ status: 'ended' });
    const stopped = await eventually(
      () => daemon.client.call(sessionRoutes.get, { params: path }),
      ({ bot }) => bot.state === 'stopped',
    );
    expect(stopped.bot).toMatchObject({
      state: 'stopped',
      cause: 'stopped_by_user',
      counters: { utterances: 2, dropped: 0, failed: 0 },
    });
    await ann.leave();
  });
});
