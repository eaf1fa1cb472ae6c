/** A game event under an Idempotency-Key has one effect, and the key takes no other event, wherever it is sent. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { withoutVoice } from '../support/two-daemons.js';

const event = (amount: number, more = {}) => ({ event_name: 'earn-points', metadata: { amount }, ...more });

describeDaemonsOnEachDatabase('An Idempotency-Key of game events', (start) => {
  let daemon: TestDaemon;
  let board: string;
  beforeAll(async () => {
    daemon = await start();
    const params = { projectId: daemon.projectId };
    const body = { name: 'Points', eventName: 'earn-points' } as const;
    board = (await daemon.client.call(routes.leaderboards.create, { params, body })).id;
  });
  afterAll(() => daemon.stop());

  async function post(path: string, body: unknown, key: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(daemon.url + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-API-Key': daemon.apiKey,
        'X-Project-Id': daemon.projectId,
        'Idempotency-Key': key,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }
  const scoreOf = async (memberId: string): Promise<number> => {
    const params = { projectId: daemon.projectId, id: board, memberType: 'user', memberId } as const;
    return (await daemon.client.call(routes.leaderboards.member, { params, query: {} })).member.score;
  };
  const mismatch = { status: 422, body: { code: 'idempotency_mismatch' } };

  describe.each([
    ['for a game', (user: string) => ({ path: '/api/v1/events', with: { user_id: user } })],
    [
      'on behalf of a player',
      (user: string) => ({ path: `/api/projects/${daemon.projectId}/players/${user}/events`, with: {} }),
    ],
  ])('%s', (_, place) => {
    it('counts the event once and refuses every other one', async () => {
      const user = randomUUID();
      const { path, with: named } = place(user);
      const key = randomUUID();
      for (const _ of [1, 2]) expect(await post(path, event(5, named), key)).toMatchObject({ status: 200 });
      const others = [event(6, named), event(5, { ...named, team_id: 'red' }), event(5, { ...named, session_id: 's' })];
      for (const other of others) expect(await post(path, other, key)).toMatchObject(mismatch);
      expect(await scoreOf(user)).toBe(5);
    });
  });

  it.each(['/api/v1/events/batch', '/api/projects/P/game-events'])(
    'in %s is judged for each event',
    async (template) => {
      const path = template.replace('/P/', `/${daemon.projectId}/`);
      const user = randomUUID();
      const key = randomUUID();
      const events = [event(1, { user_id: user }), event(2, { user_id: user })];
      const codes = async (sent: unknown[]) => {
        const { body } = await post(path, { events: sent }, key);
        return (body as { results: { status: number; code: string | null }[] }).results.map(
          ({ status, code }) => code ?? status,
        );
      };
      expect(await codes(events)).toEqual([200, 200]);
      expect(await codes(events)).toEqual([200, 200]);
      expect(await codes([events[0], event(3, { user_id: user })])).toEqual([200, 'idempotency_mismatch']);
      expect(await scoreOf(user)).toBe(3);
    },
  );

  it('stands in an event of its own, and then the event counts once however batches are cut', async () => {
    const user = randomUUID();
    const keys = [1, 2, 3].map((amount) => `${user} ${amount}`);
    const events = [1, 2, 3].map((amount, index) => event(amount, { user_id: user, idempotency_key: keys[index] }));
    const [first, second, third] = events;
    const batches = [events, [first], [third, second], [second, { ...third, metadata: { amount: 4 } }]];
    const outcomes = [];
    for (const batch of batches) {
      const { body } = await post('/api/v1/events/batch', { events: batch }, randomUUID());
      outcomes.push((body as { results: { code: string | null }[] }).results.map(({ code }) => code));
    }
    expect(outcomes).toEqual([[null, null, null], [null], [null, null], [null, 'idempotency_mismatch']]);
    expect(await post('/api/v1/events', first, randomUUID())).toMatchObject({ status: 200 });
    expect(await scoreOf(user)).toBe(6);

    const key = randomUUID();
    const plain = [event(10, { user_id: user }), event(20, { user_id: user })];
    await post('/api/v1/events/batch', { events: plain }, key);
    for (const [index, one] of plain.entries())
      await post('/api/v1/events/batch', { events: [{ ...one, idempotency_key: `${key}#${index}` }] }, randomUUID());
    expect(await scoreOf(user)).toBe(36);
  });

  it('goes on with another API key and login of the project, and with another token of the player', async () => {
    const user = randomUUID();
    const { projectId, client, admin } = daemon;
    const keyOf = async () => {
      const { credential } = await daemon.clientWith(['events', 'gameplay']);
      return { 'X-API-Key': credential?.kind === 'apiKey' ? credential.key : '' };
    };
    const login = { Authorization: `Bearer ${admin.credential?.kind === 'bearer' ? admin.credential.token : ''}` };
    const events = [event(1, { user_id: user }), event(2, { user_id: user })];
    const sent = async (path: string, body: unknown, credential: Readonly<Record<string, string>>, key: string) => {
      const headers = { 'Content-Type': 'application/json', 'X-Project-Id': projectId, 'Idempotency-Key': key };
      const init = { method: 'POST', headers: { ...headers, ...credential }, body: JSON.stringify(body) };
      expect((await fetch(daemon.url + path, init)).status, path).toBe(200);
    };
    const key = randomUUID();
    for (const path of ['/api/v1/events/batch', `/api/projects/${projectId}/game-events`])
      for (const credential of [await keyOf(), await keyOf()]) await sent(path, { events }, credential, key);
    await sent(`/api/projects/${projectId}/game-events`, { events }, login, key);
    expect(await scoreOf(user)).toBe(3);
    const onBehalf = `/api/projects/${projectId}/players/${user}/events`;
    for (const credential of [await keyOf(), login]) await sent(onBehalf, event(4), credential, `${key}!`);
    expect(await scoreOf(user)).toBe(7);
    for (const _ of [1, 2]) {
      const { token } = await client.call(routes.players.createToken, { params: { projectId, userId: user } });
      await sent(
        '/api/v1/events/batch?auth=access_token',
        { events: [event(8)] },
        { Authorization: `Bearer ${token}` },
        key,
      );
    }
    expect(await scoreOf(user)).toBe(15);
  });

  it('is of one player, and of a batch or of one event, however the ids and keys are written', async () => {
    const tokenOf = async (userId: string) =>
      (await daemon.client.call(routes.players.createToken, { params: { projectId: daemon.projectId, userId } })).token;
    const run = randomUUID();
    const players = [`Bob ${run}`, `Bob ${run} Smith`, `"Bob ${run}"`];
    const send = async (user: string, key: string) => {
      const response = await fetch(`${daemon.url}/api/v1/events?auth=access_token`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${await tokenOf(user)}`,
          'Idempotency-Key': key,
        },
        body: JSON.stringify(event(1)),
      });
      return response.status;
    };
    const [first = '', second = '', quoted = ''] = players;
    for (const _ of [1, 2]) {
      expect(await send(first, 'Smith 1')).toBe(200);
      expect(await send(second, '1')).toBe(200);
      expect(await send(quoted, 'Smith 1')).toBe(200);
    }
    expect(await Promise.all(players.map(scoreOf))).toEqual([1, 1, 1]);

    const user = randomUUID();
    const one = event(1, { user_id: user });
    for (const _ of [1, 2]) {
      await post('/api/v1/events/batch', { events: [one] }, user);
      for (const end of ['#0', '#', '#0#', '##', ''])
        expect(await post('/api/v1/events', one, user + end)).toMatchObject({ status: 200 });
    }
    expect(await scoreOf(user)).toBe(6);
  });

  it('goes to one of two events that are sent at once', async () => {
    const user = randomUUID();
    const key = randomUUID();
    const sent = [7, 8].map((amount) => post('/api/v1/events', event(amount, { user_id: user }), key));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 422]);
    expect([7, 8]).toContain(await scoreOf(user));
  });

  it('is known while a sanction holds the event', async () => {
    const user = randomUUID();
    const params = { projectId: daemon.projectId };
    const body = { type: 'ranked_restriction', externalUserId: user, parameters: { holdsProgress: true } } as const;
    await daemon.client.call(routes.sanctions.create, { params, body });
    const key = randomUUID();
    for (const _ of [1, 2])
      expect(await post('/api/v1/events', event(1, { user_id: user }), key)).toMatchObject({ status: 200 });
    expect(await post('/api/v1/events', event(2, { user_id: user }), key)).toMatchObject(mismatch);
  });
});

describe.runIf(hasPostgresql)('An Idempotency-Key at two daemons', () => {
  let server: PostgresqlServer;
  let daemons: TestDaemon[];
  beforeAll(async () => {
    server = await startPostgresql();
    const settings = { DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'cd'.repeat(32) };
    daemons = [await startDaemon({ settings }), await startDaemon({ settings: { ...settings, ...withoutVoice } })];
  }, 60_000);
  afterAll(async () => {
    for (const daemon of daemons) await daemon.stop();
    await server.stop();
  });

  it('has one effect where both are asked at once, and every answer is the same', async () => {
    const [daemon] = daemons;
    if (daemon === undefined) throw new Error('There is no daemon.');
    const { projectId, client, apiKey } = daemon;
    const params = { projectId };
    const { id } = await client.call(routes.leaderboards.create, {
      params,
      body: { name: 'Points', eventName: 'earn-points' },
    });
    const send = async (url: string, path: string, body: unknown, key: string) => {
      const headers = {
        ...{ 'Content-Type': 'application/json', 'X-API-Key': apiKey, 'X-Project-Id': projectId },
        'Idempotency-Key': key,
      };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return `${answer.status} ${JSON.stringify(((await answer.json()) as { results?: unknown }).results)}`;
    };
    const pairs = scale(40, 400);
    const one = event(1, { user_id: 'ann' });
    for (let pair = 0; pair < pairs; pair += 1) {
      const [path, body] = pair % 2 === 0 ? ['/api/v1/events', one] : ['/api/v1/events/batch', { events: [one, one] }];
      const answers = await Promise.all(daemons.map(({ url }) => send(url, path, body, `pair ${pair}`)));
      expect(new Set(answers).size, answers.join(', ')).toBe(1);
      expect(answers[0]).toMatch(/^200 /);
      expect(answers[0]).not.toMatch(/"status":(?!200)/);
    }
    const member = { ...params, id, memberType: 'user', memberId: 'ann' } as const;
    const shown = await client.call(routes.leaderboards.member, { params: member, query: {} });
    expect(shown.member.score).toBe(1.5 * pairs);
  }, 60_000);
});
