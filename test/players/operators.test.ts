import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { challengeCategoryRoutes } from '../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const project = () => ({ projectId: daemon.projectId });
const player = (userId: string) => ({ ...project(), userId });
const killThree = { name: 'Kill three', eventName: 'kill-enemy', goal: 3 } as const;
const create = () => daemon.client.call(challengeRoutes.create, { params: project(), body: killThree });
const kill = (userId: string, amount: number) =>
  daemon.admin.call(playerRoutes.sendEvent, {
    params: player(userId),
    body: { event_name: 'kill-enemy', meta_data: { amount } },
  });

describe('operators act for a player', () => {
  it('through the whole life of a challenge', async () => {
    const { id } = await create();
    const params = { ...player('u_life'), id };
    expect(await daemon.admin.call(playerRoutes.unlock, { params })).toMatchObject({ state: 'unlocked', counter: 0 });
    expect(await daemon.admin.call(playerRoutes.activate, { params })).toMatchObject({ state: 'in-progress' });
    await kill('u_life', 3);
    expect(await daemon.admin.call(playerRoutes.claim, { params })).toMatchObject({
      state: 'finished',
      counter: 3,
      goal: 3,
    });
    await expect(daemon.admin.call(playerRoutes.claim, { params })).rejects.toMatchObject({ status: 402 });
    expect(await daemon.admin.call(playerRoutes.reset, { params })).toMatchObject({ state: 'unlock', counter: 0 });
  });

  it('with a token and a topic that are the same as the player gets', async () => {
    const { token } = await daemon.admin.call(playerRoutes.createToken, { params: player('u_token') });
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const own = await client.call(gameplayRoutes.challengesTopic, {});
    expect(await daemon.admin.call(playerRoutes.topic, { params: player('u_token') })).toEqual(own);
    const missing = daemon.admin.call(playerRoutes.topic, { params: player('u_token'), body: { challengeId: 'none' } });
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'challenge_not_found' });
  });

  it('and see progress, user info, leaderboards and sanctions together', async () => {
    const { id } = await create();
    await daemon.admin.call(playerRoutes.unlock, { params: { ...player('u_seen'), id } });
    const body = { type: 'mute', externalUserId: 'u_seen' } as const;
    const sanction = await daemon.client.call(sanctionRoutes.create, { params: project(), body });
    const board = { name: 'Kills', eventName: 'kill-enemy' };
    const { id: leaderboardId } = await daemon.client.call(leaderboardRoutes.create, {
      params: project(),
      body: board,
    });
    await daemon.client.call(leaderboardRoutes.create, {
      params: project(),
      body: { ...board, eventName: 'finish-laps' },
    });
    const endDate = new Date(Date.now() + 60_000).toISOString();
    const { id: fewest } = await daemon.client.call(leaderboardRoutes.create, {
      params: project(),
      // ends before its next reset
      body: { ...board, name: 'Fewest kills', sortOrder: 'asc', endDate, resetPeriod: { range: 'm', atTime: '00:00' } },
    });
    await kill('u_ahead', 5);
    await kill('u_seen', 2);
    const seen = await daemon.admin.call(playerRoutes.get, { params: player('u_seen') });
    expect(seen).toMatchObject({
      userId: 'u_seen',
      info: { username: null, avatarImage: null },
      leaderboards: [
        { leaderboardId, name: { en: 'Kills' }, rank: 2, score: 2, members: 2, endsAt: null },
        { leaderboardId: fewest, name: { en: 'Fewest kills' }, rank: 1, score: 2, members: 2, endsAt: endDate },
      ],
      sanctions: [{ id: sanction.id }],
    });
    expect(seen.leaderboards).toHaveLength(2);
    expect(seen.challenges.find(({ challengeId }) => challengeId === id)).toMatchObject({ state: 'unlocked' });
  });
});

describe('who may do it', () => {
  it('needs the scope gameplay, of which gameplay:read opens only what reads', async () => {
    const reader = await daemon.clientWith(['gameplay:read']);
    await reader.call(challengeRoutes.list, { params: project() });
    await reader.call(playerRoutes.get, { params: player('u1') });
    const refused = { status: 403, code: 'insufficient_scope' };
    await expect(reader.call(challengeRoutes.create, { params: project(), body: killThree })).rejects.toMatchObject(
      refused,
    );
    const { id } = await create();
    await expect(reader.call(playerRoutes.unlock, { params: { ...player('u1'), id } })).rejects.toMatchObject(refused);
    await expect(reader.call(playerRoutes.createToken, { params: player('u1') })).rejects.toMatchObject(refused);
  });

  it('is no matter of a player token', async () => {
    const { token } = await daemon.admin.call(playerRoutes.createToken, { params: player('u1') });
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    await expect(client.call(challengeRoutes.list, { params: project() })).rejects.toMatchObject({ status: 401 });
  });
});

describe('configuration over HTTP', () => {
  it('is written, read back, and there after a restart', async () => {
    const category = await daemon.client.call(challengeCategoryRoutes.create, {
      params: project(),
      body: { name: { en: 'Daily', de: 'Täglich' }, slug: 'daily', position: 7, isDaily: true },
    });
    const challenge = await daemon.client.call(challengeRoutes.create, {
      params: project(),
      body: { ...killThree, categoryId: category.id, resetPeriod: { range: 'd' }, description: 'Any enemy' },
    });
    expect(challenge).toMatchObject({
      name: { en: 'Kill three' },
      description: { en: 'Any enemy' },
      resetPeriod: { range: 'd', atTime: '00:00', timeZone: 'UTC' },
      counting: 'per-session',
    });
    await daemon.restart();
    const of = (id: string) => ({ params: { ...project(), id } });
    expect(await daemon.client.call(challengeRoutes.get, of(challenge.id))).toEqual(challenge);
    expect(await daemon.client.call(challengeCategoryRoutes.get, of(category.id))).toEqual(category);
    const { challenges, total } = await daemon.client.call(challengeRoutes.list, {
      params: project(),
      query: { limit: 1 },
    });
    expect(challenges).toEqual([challenge]);
    expect(total).toBeGreaterThan(1);
    await daemon.client.call(challengeRoutes.delete, of(challenge.id));
    await expect(daemon.client.call(challengeRoutes.get, of(challenge.id))).rejects.toMatchObject({ status: 404 });
    await daemon.client.call(challengeCategoryRoutes.delete, of(category.id));
  });

  it('names the field that is wrong', async () => {
    const body = { ...killThree, eventName: 'kill-enmy' };
    const creating = daemon.client.call(challengeRoutes.create, { params: project(), body });
    await expect(creating).rejects.toMatchObject({ status: 400, details: [{ path: 'body.eventName' }] });
  });
});

describe('POST /api/v1/events/batch', () => {
  it('answers each event for itself, and repeats nothing', async () => {
    const { id } = await create();
    const params = { ...player('u_batch'), id };
    await daemon.admin.call(playerRoutes.unlock, { params });
    await daemon.admin.call(playerRoutes.activate, { params });
    const event = { user_id: 'u_batch', event_name: 'kill-enemy', meta_data: { amount: 1 } };
    const send = async () => {
      const response = await fetch(`${daemon.url}/api/v1/events/batch`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${daemon.apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'one batch',
        },
        body: JSON.stringify({ events: [event, { ...event, event_name: 'none' }, { ...event, meta_data: {} }] }),
      });
      return { status: response.status, body: await response.json() };
    };
    const answer = {
      status: 200,
      body: {
        results: [
          { status: 200, message: 'OK', code: null },
          { status: 404, code: 'unknown_event' },
          { status: 400, code: 'game_event_invalid', details: [{ path: 'meta_data.amount' }] },
        ],
      },
    };
    expect(await send()).toMatchObject(answer);
    expect(await send()).toMatchObject(answer);
    const { challenges } = await daemon.admin.call(playerRoutes.get, { params: player('u_batch') });
    expect(challenges.find(({ challengeId }) => challengeId === id)).toMatchObject({ counter: 1 });
  });
});

describe('erasing a participant', () => {
  it('takes events, progress, user info and topics with it', async () => {
    const participant = await daemon.client.call(participantRoutes.create, {
      params: project(),
      body: { externalUserId: 'u_gone' },
    });
    const { id } = await create();
    await daemon.admin.call(playerRoutes.unlock, { params: { ...player('u_gone'), id } });
    const { topic } = await daemon.admin.call(playerRoutes.topic, { params: player('u_gone') });
    const { token } = await daemon.admin.call(playerRoutes.createToken, { params: player('u_gone') });
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    await client.call(gameplayRoutes.setUserInfo, { body: { username: 'Ann' } });
    await daemon.client.call(participantRoutes.remove, { params: { ...project(), id: participant.id } });
    const seen = await daemon.admin.call(playerRoutes.get, { params: player('u_gone') });
    expect(seen.info).toEqual({ username: null, avatarImage: null });
    expect(seen.challenges.every(({ state }) => state === 'unlock')).toBe(true);
    expect((await daemon.admin.call(playerRoutes.topic, { params: player('u_gone') })).topic).not.toBe(topic);
  });
});
