/** Each sanction of the rooms, proved by the packets that a second and a third person hear. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CreateSanctionRequest, type SanctionType, sanctionRoutes } from '../../../src/contract/sanctions.js';
import { sessionRoutes } from '../../../src/contract/sessions.js';
import { tokenRoutes } from '../../../src/contract/tokens.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { Listener, Speaker } from '../../support/room-peers.js';

let daemon: TestDaemon;
const listeners: Listener[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
  for (const name of ['ben', 'cleo']) {
    const listener = new Listener(name, 4);
    await listener.join(post('whep', await tokenFor(name)));
    listeners.push(listener);
  }
});
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const room = 'arena';
const tokenFor = async (userId: string, roomId = room) =>
  (await daemon.client.call(tokenRoutes.generateForProject, { params: params(), body: { roomId, userId } })).token;
const post =
  (kind: 'whip' | 'whep', token: string, roomId = room) =>
  async (offer: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
    const response = await fetch(`${daemon.url}/rooms/${roomId}/${kind}`, { method: 'POST', headers, body: offer });
    if (response.status === 201) return response.text();
    throw new Error(`${response.status} ${((await response.json()) as { code: string }).code}`);
  };
const impose = (fields: Omit<CreateSanctionRequest, 'externalUserId'>, externalUserId: string) =>
  daemon.client.call(sanctionRoutes.create, { params: params(), body: { ...fields, externalUserId } });
const lift = (id: string) =>
  daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: { reason: 'enough' } });

/** How many packets each listener heard of those that were spoken at that number or later. */
const heardSince = async (spoken: number): Promise<number[]> => {
  for (const listener of listeners) await listener.settled();
  return listeners.map((listener) => listener.heardSince(spoken));
};
/** Resolves when so many more packets were spoken. */
const spokenOn = (speaker: Speaker, packets: number, from = speaker.spoken) =>
  eventually(() => expect(speaker.spoken).toBeGreaterThan(from + packets), 20_000);

let count = 0;
let name: string;
let token: string;
beforeEach(async () => {
  for (const { heard } of listeners) heard.length = 0;
  count += 1;
  name = `speaker-${count}`;
  token = await tokenFor(name);
});
const enter = async (withToken = token) => {
  const speaker = new Speaker(name);
  await speaker.join(post('whip', withToken));
  return speaker;
};
/** Speaks, and is sanctioned in the middle of the sentence; returns what was heard behind the answer. */
const sanctionedWhileSpeaking = async (fields: Omit<CreateSanctionRequest, 'externalUserId'>) => {
  const speaker = await enter();
  await speaker.talk(15);
  for (const heard of await heardSince(0)) expect(heard).toBeGreaterThan(10);
  const endSentence = speaker.talkOn();
  const sanction = await impose(fields, name);
  const answeredAt = speaker.spoken;
  await spokenOn(speaker, 15);
  await endSentence();
  return { speaker, sanction, heard: await heardSince(answeredAt) };
};

describe.each<SanctionType>(['mute', 'listen_only', 'text_only', 'shadow_mute'])('%s', (type) => {
  it('is silent in the middle of a sentence, at a rejoin, and no longer once it is lifted', async () => {
    const { speaker, sanction, heard } = await sanctionedWhileSpeaking({ type });
    for (const packets of heard) expect(packets).toBeLessThanOrEqual(1);

    speaker.close();
    for (const { heard: all } of listeners) all.length = 0;
    const again = await enter();
    await again.talk(15);
    expect(await heardSince(0)).toEqual([0, 0]);

    await lift(sanction.id);
    const liftedAt = again.spoken;
    await again.talk(15);
    for (const packets of await heardSince(liftedAt)) expect(packets).toBeGreaterThan(10);
    again.close();
  });
});

describe('a token that is asked for while somebody is silenced', () => {
  it.each<[SanctionType, boolean]>([
    ['mute', false],
    ['listen_only', false],
    ['text_only', false],
    ['shadow_mute', true],
  ])('of %s opens the microphone: %s', async (type, opens) => {
    await impose({ type }, name);
    const later = await tokenFor(name);
    if (!opens) return expect(enter(later)).rejects.toThrow('403 room_token_forbids');
    const speaker = await enter(later);
    await speaker.talk(15);
    expect(await heardSince(0)).toEqual([0, 0]);
    speaker.close();
  });
});

describe.each<[SanctionType, { duration?: number }]>([
  ['temp_ban', { duration: 600 }],
  ['perm_ban', {}],
])('%s', (type, term) => {
  it('ends what somebody says and closes the door until it is lifted', async () => {
    const { speaker, sanction, heard } = await sanctionedWhileSpeaking({ type, ...term });
    for (const packets of heard) expect(packets).toBeLessThanOrEqual(1);
    speaker.close();
    await expect(enter()).rejects.toThrow('403 participant_banned');
    await expect(tokenFor(name)).rejects.toMatchObject({ code: 'participant_banned' });
    await lift(sanction.id);
    (await enter(await tokenFor(name))).close();
  });
});

describe('rate_limit', () => {
  it('lets so many seconds through and no more, though the speaker leaves and comes back', async () => {
    await impose({ type: 'rate_limit', parameters: { speakingSecondsPerMinute: 1 } }, name);
    const speaker = await enter();
    await speaker.talk(100);
    const [atBen = 0, atCleo = 0] = await heardSince(0);
    for (const packets of [atBen, atCleo]) {
      expect(packets).toBeGreaterThan(5);
      expect(packets).toBeLessThan(75);
    }
    speaker.close();
    for (const { heard } of listeners) heard.length = 0;
    const again = await enter();
    await again.talk(25);
    expect(await heardSince(0)).toEqual([0, 0]);
    again.close();
  });
});

describe('a sanction that is limited to a session', () => {
  const openSession = (externalRoomId: string) =>
    daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId, autoStart: false },
    });

  it('holds in the room of the session and nowhere else, and ends with the session', async () => {
    const { id: elsewhere } = await openSession('elsewhere');
    const { id: here } = await openSession(room);
    await impose({ type: 'mute', sessionId: elsewhere }, name);
    const speaker = await enter();
    await speaker.talk(15);
    for (const packets of await heardSince(0)) expect(packets).toBeGreaterThan(10);

    await impose({ type: 'mute', sessionId: here }, name);
    const mutedAt = speaker.spoken;
    await speaker.talk(15);
    for (const packets of await heardSince(mutedAt)) expect(packets).toBeLessThanOrEqual(1);

    await daemon.client.call(sessionRoutes.stop, { params: { ...params(), id: here } });
    await eventually(async () => {
      const endedAt = speaker.spoken;
      await speaker.talk(15);
      for (const packets of await heardSince(endedAt)) expect(packets).toBeGreaterThan(10);
    }, 20_000);
    speaker.close();
  });

  it('keeps a banned person out of that room alone', async () => {
    const { id: sessionId } = await openSession('closed');
    await impose({ type: 'temp_ban', duration: 60, sessionId }, name);
    (await enter()).close();
    await expect(tokenFor(name, 'closed')).rejects.toMatchObject({ code: 'participant_banned' });
  });
});
