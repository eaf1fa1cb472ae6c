/** The first tour, on a daemon process as its user has it: speech in, words and counts out, and what survives a crash. */
import { connectAsync } from 'mqtt';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { requestAccess } from '../../src/client/room/request-access.js';
import { createResource } from '../../src/client/room/resource.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { DomainEvent } from '../../src/contract/events.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { ChallengeWebhookPayload, playerChallengeRoutes } from '../../src/contract/gameplay/player-challenges.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { earshotd } from '../support/program.js';
import { startReceiver } from '../support/receiver.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { clip, joined, lendSpeech, recording, speechForTests } from '../support/speech-clips.js';
import { openStream, type RawStream } from '../support/stream.js';

const speech = await speechForTests();
const patienceMs = 60_000;
const words = 'go forward ten meters';
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

const daemon = new DaemonProcess({
  EARSHOT_TRANSCRIBER: speech === null ? 'off' : 'pocketsphinx',
  EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
});
let client: EarshotClient;
let apiKey: string;
let projectId: string;
const params = () => ({ projectId });

beforeAll(async () => {
  lendSpeech(speech, daemon.dataDir);
  await daemon.start();
  const login = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: login.accessToken } });
  apiKey = (await admin.call(apiKeyRoutes.create, { body: { name: 'tour', scopes: [...scopeNames] } })).key;
  client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key: apiKey } });
  projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
}, patienceMs);
afterAll(() => daemon.dispose());

const tail = (): Promise<RawStream> =>
  openStream(`${daemon.url}/api/projects/${projectId}/events/stream`, { 'X-API-Key': apiKey });
/** Reads until an event of the type, and such data, has come. */
const next = async (stream: RawStream, type: string, data: object): Promise<DomainEvent> => {
  for (;;) {
    const event = DomainEvent.parse((await stream.next(patienceMs)).data);
    try {
      expect(event).toMatchObject({ type, payload: { data } });
      return event;
    } catch {
      // another one; the stream ends with an error when none comes
    }
  }
};
const entering = async (kind: 'whip' | 'whep', userId: string, roomId: string) => {
  const access = await requestAccess(client, projectId, { roomId, userId });
  return async (offer: string) => (await createResource(access, kind, offer)).answerSdp;
};

describe('the first tour', { timeout: 180_000 }, () => {
  it.skipIf(speech === null)('writes down who says what, and goes on after a crash', async () => {
    if (speech === null) return;
    const body = { title: 'Demo', externalRoomId: 'demo', idleTimeout: 0 };
    const { id } = await client.call(sessionRoutes.create, { params: params(), body });
    const listening = () => eventually(() => expect(daemon.printed.join()).toContain('bot listens'), patienceMs);
    await listening();
    const events = await tail();
    const sentence = recording(joined(0.5, await clip(speech, 'goforward')));
    const ann = new RoomPublisher(await requestAccess(client, projectId, { roomId: 'demo', userId: 'u1' }));
    await ann.join();
    await next(events, 'participant.joined', { externalUserId: 'u1', roomId: 'demo' });
    await ann.play(speechFrames(sentence, 1_500));
    const told = await next(events, 'message.created', { externalUserId: 'u1', origin: 'speech', content: words });
    const spoken = async () =>
      (await client.call(sessionRoutes.messages, { params: { ...params(), id } })).filter(
        ({ origin }) => origin === 'speech',
      );
    const [first] = await spoken();
    expect(first).toMatchObject({ senderName: 'u1', content: words, status: 'recognised' });
    const spokenMs = (first?.endMs ?? 0) - (first?.startMs ?? 0);
    expect(spokenMs).toBeGreaterThan(1_000);
    // Dated by when it began to be said, not by when it was written down.
    expect(Date.parse(told.timestamp) - Date.parse(first?.timestamp ?? '')).toBeGreaterThanOrEqual(spokenMs);
    events.close();

    await daemon.end('SIGKILL');
    await daemon.start();
    await listening();
    await eventually(async () => {
      const rooms = await client.call(roomRoutes.list, { params: params() });
      const back = { externalUserId: 'u1', publishing: true };
      expect(rooms.flatMap(({ peers }) => peers)).toContainEqual(expect.objectContaining(back));
    }, patienceMs);
    await ann.play(speechFrames(sentence, 1_500));
    await eventually(
      async () => expect((await spoken()).map(({ content }) => content)).toEqual([words, words]),
      patienceMs,
    );
    await ann.leave();
  });

  it('silences in the middle of a sentence, gives the word back, and removes', async () => {
    const [ann, ben] = [new Speaker('u1'), new Listener('u2', 4)];
    await ann.join(await entering('whip', 'u1', 'arena'));
    await ben.join(await entering('whep', 'u2', 'arena'));
    const events = await tail();
    const sentence = ann.talk(150);
    await eventually(() => expect(ben.heard.length).toBeGreaterThan(10), patienceMs);
    const mute = { type: 'mute', externalUserId: 'u1' } as const;
    const { id } = await client.call(sanctionRoutes.create, { params: params(), body: mute });
    const mutedAt = ann.spoken;
    await sentence;
    await ben.settled();
    expect(ben.heardSince(mutedAt)).toBeLessThanOrEqual(1);
    await client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: {} });
    const openedAt = ann.spoken;
    await ann.talk(30);
    await eventually(() => expect(ben.heardSince(openedAt)).toBeGreaterThan(10), patienceMs);
    await client.call(roomRoutes.kick, { params: { ...params(), roomId: 'arena', externalUserId: 'u1' } });
    const removedAt = ann.spoken;
    await ann.talk(30);
    await ben.settled();
    expect(ben.heardSince(removedAt)).toBeLessThanOrEqual(1);
    await next(events, 'sanction.created', { id });
    await next(events, 'sanction.revoked', { id });
    await next(events, 'participant.left', { externalUserId: 'u1', reason: 'kicked' });
    events.close();
    ann.close();
    ben.close();
  });

  it('counts what a player does, and tells a plain MQTT client', async () => {
    const body = { name: { en: 'Three down' }, eventName: 'kill-enemy', goal: 3 } as const;
    const challenge = await client.call(challengeRoutes.create, { params: params(), body });
    const player = { ...params(), userId: 'u1' };
    const { token } = await client.call(playerRoutes.createToken, { params: player });
    const game = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const where = { params: { appId: projectId, challengeId: challenge.id } };
    await game.call(playerChallengeRoutes.unlock, where);
    await game.call(playerChallengeRoutes.activate, where);
    const { topic } = await game.call(gameplayRoutes.challengeTopic, { query: { challenge_id: challenge.id } });
    const told: string[] = [];
    const mqtt = await connectAsync(`${daemon.url.replace('http', 'ws')}/mqtt`);
    mqtt.on('message', (_, payload) => {
      told.push(ChallengeWebhookPayload.parse(JSON.parse(payload.toString())).new_challenge.type);
    });
    await mqtt.subscribeAsync(topic);
    for (let event = 0; event < 3; event += 1)
      await client.call(playerRoutes.sendEvent, {
        params: player,
        body: { event_name: 'kill-enemy', meta_data: { amount: 1 } },
      });
    await eventually(() => expect(told).toEqual(['in-progress', 'in-progress', 'unclaimed']), patienceMs);
    await mqtt.endAsync();
  });

  it('delivers what is said to a webhook that the standard package verifies', async () => {
    const receiver = await startReceiver();
    const body = { url: receiver.url, secret, events: ['message.*'] };
    await client.call(webhookRoutes.create, { params: params(), body });
    const title = { title: 'Chat', externalRoomId: 'chat', autoStart: false };
    const { id } = await client.call(sessionRoutes.create, { params: params(), body: title });
    const said = { externalUserId: 'u1', content: 'hello' };
    await client.call(sessionRoutes.say, { params: { ...params(), id }, body: said });
    const [delivery] = await receiver.waitFor(1, patienceMs);
    const verified = new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {});
    expect(verified).toMatchObject({ type: 'message.created', payload: { data: said } });
    await receiver.stop();
  });

  it('ends in good order within seconds, and is up again with all of it', async () => {
    const began = performance.now();
    expect(await daemon.end('SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000); // five, on a machine that does nothing else
    await daemon.start();
    expect((await client.call(challengeRoutes.list, { params: params() })).challenges).not.toEqual([]);
    expect(await client.call(eventRoutes.schema, {})).toHaveProperty('oneOf');
  });

  it('lends a CI job a daemon of its own, and passes on how the job ended', async () => {
    const script =
      'fetch(process.env.EARSHOT_URL + "/api/projects", { headers: { "X-API-Key": process.env.EARSHOT_API_KEY } })' +
      '.then((answer) => answer.json()).then(([{ id }]) => process.exit(id === process.env.EARSHOT_PROJECT ? 7 : 1))';
    const { code } = await earshotd(daemon.dataDir, ['exec', '--', process.execPath, '-e', script], {
      env: { EARSHOT_TRANSCRIBER: 'off' },
    });
    expect(code).toBe(7);
  });
});
