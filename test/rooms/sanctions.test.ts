/** Each sanction of the rooms, proved by the packets that a second and a third person hear. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MediaUnreachable } from '../../src/client/room/errors.js';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { Listener, Speaker } from '../support/room-peers.js';

let daemon: TestDaemon;
const scenes: Scene[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  for (const scene of scenes.splice(0)) scene.close();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const tokenFor = async (userId: string, roomId: string) =>
  (await daemon.client.call(tokenRoutes.generateForProject, { params: params(), body: { roomId, userId } })).token;
const impose = (fields: Omit<CreateSanctionRequest, 'externalUserId'>, externalUserId: string) =>
  daemon.client.call(sanctionRoutes.create, { params: params(), body: { ...fields, externalUserId } });
const lift = (id: string) =>
  daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: { reason: 'enough' } });

/** Resolves when so many more packets were spoken. */
const spokenOn = (speaker: Speaker, packets: number, from = speaker.spoken) =>
  eventually(() => expect(speaker.spoken).toBeGreaterThan(from + packets), 20_000);

/** A peer in its room. A handshake that a busy machine has lost is begun once more, as people do. */
async function connected<T extends Speaker | Listener>(
  make: () => T,
  offered: (offer: string) => Promise<string>,
): Promise<T> {
  const first = make();
  try {
    await first.join(offered);
    return first;
  } catch (error) {
    first.close();
    if (!(error instanceof MediaUnreachable)) throw error;
    const second = make();
    await second.join(offered);
    return second;
  }
}

/** A room of its own with somebody who may speak and two who listen, so that tests run side by side. */
class Scene {
  readonly room = randomUUID();
  readonly name = `speaker-${this.room}`;
  private readonly listeners: Listener[] = [];
  private token = '';

  static async open(): Promise<Scene> {
    const scene = new Scene();
    scenes.push(scene);
    const seats = ['ben', 'cleo'].map(async (name) => {
      const token = await tokenFor(`${name}-${scene.room}`, scene.room);
      scene.listeners.push(await connected(() => new Listener(name, 4), scene.post('whep', token)));
    });
    await Promise.all(seats);
    await scene.proveEars();
    scene.token = await tokenFor(scene.name, scene.room);
    return scene;
  }

  /** A token asked for now. */
  newToken = (room = this.room) => tokenFor(this.name, room);

  enter(token = this.token): Promise<Speaker> {
    return connected(() => new Speaker(this.name), this.post('whip', token));
  }

  /** Counts, for each listener, the packets heard among those spoken at that number or later. */
  async heardSince(spoken: number): Promise<number[]> {
    await Promise.all(this.listeners.map((listener) => listener.settled()));
    return this.listeners.map((listener) => listener.heardSince(spoken));
  }

  close(): void {
    for (const listener of this.listeners) listener.close();
  }

  forgetHeard(): void {
    for (const { heard } of this.listeners) heard.length = 0;
  }

  /** Speaks, and is sanctioned in the middle of the sentence; returns what was heard behind the answer. */
  async sanctionedWhileSpeaking(fields: Omit<CreateSanctionRequest, 'externalUserId'>) {
    const speaker = await this.enter();
    await this.talkUntilHeard(speaker);
    const endSentence = speaker.talkOn();
    const sanction = await impose(fields, this.name);
    const answeredAt = speaker.spoken;
    await spokenOn(speaker, 15);
    await endSentence();
    return { speaker, sanction, heard: await this.heardSince(answeredAt) };
  }

  /** Proves that somebody else is heard: a person who is not heard later is silent because of the sanction. */
  private async proveEars(): Promise<void> {
    const token = await tokenFor(`herald-${this.room}`, this.room);
    const herald = await connected(() => new Speaker('herald'), this.post('whip', token));
    await this.talkUntilHeard(herald);
    herald.close();
    await this.heardSince(0);
    this.forgetHeard();
  }

  private talkUntilHeard = (speaker: Speaker) =>
    eventually(async () => {
      await speaker.talk(5);
      for (const { heard } of this.listeners) expect(heard.length).toBeGreaterThan(10);
    });

  private post(kind: 'whip' | 'whep', token: string) {
    return async (offer: string): Promise<string> => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
      const response = await fetch(`${daemon.url}/rooms/${this.room}/${kind}`, {
        method: 'POST',
        headers,
        body: offer,
      });
      if (response.status === 201) return response.text();
      throw new Error(`${response.status} ${((await response.json()) as { code: string }).code}`);
    };
  }
}

describe.concurrent.each<SanctionType>(['mute', 'listen_only', 'text_only', 'shadow_mute'])('%s', (type) => {
  it('is silent in the middle of a sentence, at a rejoin, and no longer once it is lifted', async () => {
    const scene = await Scene.open();
    const { speaker, sanction, heard } = await scene.sanctionedWhileSpeaking({ type });
    for (const packets of heard) expect(packets).toBeLessThanOrEqual(1);

    speaker.close();
    scene.forgetHeard();
    const again = await scene.enter();
    await again.talk(15);
    expect(await scene.heardSince(0)).toEqual([0, 0]);

    await lift(sanction.id);
    const liftedAt = again.spoken;
    await again.talk(15);
    for (const packets of await scene.heardSince(liftedAt)) expect(packets).toBeGreaterThan(10);
    again.close();
  });
});

describe.concurrent('a token that is asked for while somebody is silenced', () => {
  it.each<[SanctionType, boolean]>([
    ['mute', false],
    ['listen_only', false],
    ['text_only', false],
    ['shadow_mute', true],
  ])('of %s opens the microphone: %s', async (type, opens) => {
    const scene = await Scene.open();
    await impose({ type }, scene.name);
    const later = await scene.newToken();
    if (!opens) return expect(scene.enter(later)).rejects.toThrow('403 room_token_forbids');
    const speaker = await scene.enter(later);
    await speaker.talk(15);
    expect(await scene.heardSince(0)).toEqual([0, 0]);
    speaker.close();
  });
});

describe.concurrent.each<[SanctionType, { duration?: number }]>([
  ['temp_ban', { duration: 600 }],
  ['perm_ban', {}],
])('%s', (type, term) => {
  it('ends what somebody says and closes the door until it is lifted', async () => {
    const scene = await Scene.open();
    const { speaker, sanction, heard } = await scene.sanctionedWhileSpeaking({ type, ...term });
    for (const packets of heard) expect(packets).toBeLessThanOrEqual(1);
    speaker.close();
    await expect(scene.enter()).rejects.toThrow('403 participant_banned');
    await expect(scene.newToken()).rejects.toMatchObject({ code: 'participant_banned' });
    await lift(sanction.id);
    (await scene.enter(await scene.newToken())).close();
  });
});

describe.concurrent('rate_limit', () => {
  it('lets so many seconds through and no more, though the speaker leaves and comes back', async () => {
    const scene = await Scene.open();
    await impose({ type: 'rate_limit', parameters: { speakingSecondsPerMinute: 1 } }, scene.name);
    const speaker = await scene.enter();
    await speaker.talk(100);
    const [atBen = 0, atCleo = 0] = await scene.heardSince(0);
    for (const packets of [atBen, atCleo]) {
      expect(packets).toBeGreaterThan(5);
      expect(packets).toBeLessThan(75);
    }
    speaker.close();
    scene.forgetHeard();
    const again = await scene.enter();
    await again.talk(25);
    expect(await scene.heardSince(0)).toEqual([0, 0]);
    again.close();
  });
});

describe.concurrent('a sanction that is limited to a session', () => {
  const openSession = (externalRoomId: string) =>
    daemon.client.call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId, autoStart: false },
    });

  it('holds in the room of the session and nowhere else, and ends with the session', async () => {
    const scene = await Scene.open();
    const { id: elsewhere } = await openSession(randomUUID());
    const { id: here } = await openSession(scene.room);
    await impose({ type: 'mute', sessionId: elsewhere }, scene.name);
    const speaker = await scene.enter();
    await speaker.talk(15);
    for (const packets of await scene.heardSince(0)) expect(packets).toBeGreaterThan(10);

    await impose({ type: 'mute', sessionId: here }, scene.name);
    const mutedAt = speaker.spoken;
    await speaker.talk(15);
    for (const packets of await scene.heardSince(mutedAt)) expect(packets).toBeLessThanOrEqual(1);

    await daemon.client.call(sessionRoutes.stop, { params: { ...params(), id: here } });
    await eventually(async () => {
      const endedAt = speaker.spoken;
      await speaker.talk(15);
      for (const packets of await scene.heardSince(endedAt)) expect(packets).toBeGreaterThan(10);
    }, 20_000);
    speaker.close();
  });

  it('keeps a banned person out of that room alone', async () => {
    const scene = await Scene.open();
    const closed = randomUUID();
    const { id: sessionId } = await openSession(closed);
    await impose({ type: 'temp_ban', duration: 60, sessionId }, scene.name);
    (await scene.enter()).close();
    await expect(scene.newToken(closed)).rejects.toMatchObject({ code: 'participant_banned' });
  });
});
