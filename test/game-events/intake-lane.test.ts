/**
 * Plain requests for game events are answered past Express. Each request is sent twice here: with its length, which
 * takes the short way, and in chunks, which only Express reads. The two answers must be the same bytes.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { countExpressCalls, type ExpressCalls, masked } from '../support/express-calls.js';
import { exchange, rawClient } from '../support/raw-http.js';
import { scale } from '../support/scale.js';

const ownPage = 'https://game.example';
const paths = { single: '/api/v1/events', batch: '/api/v1/events/batch' } as const;

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly withoutAuthorization?: boolean;
}

describe('a game event sent past Express', () => {
  let daemon: TestDaemon;
  let byExpress: ExpressCalls;
  let keys: Record<'game' | 'reader' | 'tenant', string>;
  let player: string;

  beforeAll(async () => {
    byExpress = countExpressCalls();
    daemon = await startDaemon({
      settings: { EARSHOT_TRUSTED_PROXIES: '127.0.0.0/8,::1', EARSHOT_CORS_ORIGINS: ownPage },
    });
    const keyOf = async (scopes: Parameters<TestDaemon['clientWith']>[0], projectId?: string) => {
      const { credential } = await daemon.clientWith(scopes, projectId);
      return credential?.kind === 'apiKey' ? credential.key : '';
    };
    keys = {
      game: await keyOf(['gameplay', 'tokens'], daemon.projectId),
      reader: await keyOf(['gameplay:read'], daemon.projectId),
      tenant: await keyOf(['gameplay']),
    };
    const body = { user_id: 'u1' };
    player = (await daemon.client.call(gameplayRoutes.generateAccessToken, { body })).token;
  });
  afterAll(async () => {
    byExpress.stop();
    await daemon.stop();
  });

  const requestOf = (
    { path = paths.single, headers = {}, body, withoutAuthorization }: Sent,
    framing: 'length' | 'chunks',
  ): Buffer => {
    const bytes = Buffer.from(body);
    const all = {
      Host: 'localhost',
      ...(withoutAuthorization ? {} : { Authorization: `Bearer ${keys.game}` }),
      'Content-Type': 'application/json',
      ...(framing === 'length' ? { 'Content-Length': String(bytes.length) } : { 'Transfer-Encoding': 'chunked' }),
      Connection: 'close',
      ...headers,
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const chunked = [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n0\r\n\r\n'].map((part) => Buffer.from(part));
    return Buffer.concat([
      Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`),
      ...(framing === 'length' ? [bytes] : chunked),
    ]);
  };

  const answer = async (sent: Sent, framing: 'length' | 'chunks', url = daemon.url): Promise<string> => {
    const { headers, body } = await exchange(url, requestOf(sent, framing));
    return masked(`${headers}\r\n\r\n${body}`);
  };

  /** Both answers to a request, and that the first did come past Express. */
  const both = async (sent: Sent, url = daemon.url) => {
    const before = byExpress.count;
    const short = await answer(sent, 'length', url);
    expect(byExpress.count).toBe(before);
    const long = await answer(sent, 'chunks', url);
    expect(byExpress.count).toBe(before + 1);
    return { short, long };
  };

  const kill = { user_id: 'u1', event_name: 'kill-enemy', meta_data: { amount: 1 } };
  const json = (value: unknown, more: Omit<Sent, 'body'> = {}): Sent => ({ body: JSON.stringify(value), ...more });
  /** Without the header Authorization that every other request has. */
  const unauthorized = (headers: Record<string, string>): Sent => ({
    ...json(kill, { headers }),
    withoutAuthorization: true,
  });
  const withHeaders = (headers: Record<string, string>, value: unknown = kill): Sent => json(value, { headers });
  const asPlayer = (value: unknown, query = 'auth=access_token'): Sent =>
    json(value, { path: `${paths.single}?${query}`, headers: { Authorization: `Bearer ${player}` } });
  const batch = (events: unknown, more: Omit<Sent, 'body'> = {}): Sent =>
    json({ events }, { ...more, path: paths.batch });

  const cases: Readonly<Record<string, readonly [status: number, sent: () => Sent]>> = {
    'an event': [200, () => json(kill)],
    'an event of a group in a team and a session': [
      200,
      () => json({ ...kill, event_type: 'group', team_id: 't', session_id: 's', metadata: null }),
    ],
    'properties by their other name, one of them unknown': [
      200,
      () => json({ user_id: 'ü1', event_name: 'kill-enemy', metadata: { amount: 2, map_name: 'wüste', x: [{}] } }),
    ],
    'a key in a header of its own': [200, () => unauthorized({ 'X-API-Key': keys.game })],
    'a key in a header of its own, which counts first': [401, () => withHeaders({ 'X-API-Key': 'nothing' })],
    'a key as ApiKey': [200, () => withHeaders({ Authorization: `ApiKey ${keys.game}` })],
    'a key of the tenant in a header of its own': [200, () => unauthorized({ 'X-API-Key': keys.tenant })],
    'a scheme in small letters': [200, () => withHeaders({ Authorization: `bearer ${keys.game}` })],
    'a scheme that is not known': [401, () => withHeaders({ Authorization: `Basic ${keys.game}` })],
    'a scheme without a key': [401, () => withHeaders({ Authorization: 'Bearer ' })],
    'no credential': [401, () => unauthorized({})],
    'the address with the app': [
      200,
      () => json(kill, { path: `${paths.single}?auth=api_key&app_id=${daemon.projectId}` }),
    ],
    'a page of an allowed origin': [200, () => withHeaders({ Origin: ownPage })],
    'a page of an allowed origin without a valid key': [
      401,
      () => withHeaders({ Origin: ownPage, Authorization: 'Bearer nothing' }),
    ],
    'a page of another origin': [200, () => withHeaders({ Origin: 'https://other.example' })],
    'a stated kind of credential': [200, () => json(kill, { path: `${paths.single}?auth=api_key` })],
    'an empty query': [200, () => json(kill, { path: `${paths.single}?` })],
    'the other kind of credential': [403, () => json(kill, { path: `${paths.single}?auth=access_token` })],
    'an unknown kind of credential': [400, () => json(kill, { path: `${paths.single}?auth=basic` })],
    'a query that is repeated': [400, () => json(kill, { path: `${paths.single}?auth=api_key&auth=api_key` })],
    'a query that is no UTF-8': [400, () => json(kill, { path: `${paths.single}?auth=%ff` })],
    'a query with NUL': [400, () => json(kill, { path: `${paths.single}?x=%00` })],
    'a player token': [200, () => asPlayer({ event_name: 'match-start' })],
    'a player token with its user': [200, () => asPlayer({ event_name: 'match-start', user_id: 'u1' })],
    'a player token with another user': [400, () => asPlayer({ event_name: 'match-start', user_id: 'u2' })],
    'a player token that is not stated': [401, () => asPlayer({ event_name: 'match-start' }, '')],
    'a forged player token': [403, () => withHeaders({ Authorization: `Bearer ${player.slice(0, -3)}abc` })],
    'a key that is no key': [401, () => withHeaders({ Authorization: 'Bearer nothing' })],
    'an unknown key': [401, () => withHeaders({ Authorization: `Bearer ${keys.game.slice(0, -1)}_` })],
    'a credential of two words': [401, () => withHeaders({ Authorization: 'Bearer one two' })],
    'a key that may only read': [403, () => withHeaders({ Authorization: `Bearer ${keys.reader}` })],
    'a key of the tenant, whose only project it is': [
      200,
      () => withHeaders({ Authorization: `Bearer ${keys.tenant}` }),
    ],
    'a key of the tenant with the project': [
      200,
      () => withHeaders({ Authorization: `Bearer ${keys.tenant}`, 'X-Project-Id': daemon.projectId }),
    ],
    'a key of the tenant with an unknown project': [
      404,
      () => withHeaders({ Authorization: `Bearer ${keys.tenant}`, 'X-Project-Id': 'nowhere' }),
    ],
    'an unknown event': [404, () => json({ ...kill, event_name: 'no-such-event' })],
    'an event without its property': [400, () => json({ ...kill, meta_data: {} })],
    'an event with a negative amount': [400, () => json({ ...kill, meta_data: { amount: -1 } })],
    'an event of nobody': [400, () => json({ event_name: 'match-start' })],
    'an event of no kind': [400, () => json({ user_id: 'u1' })],
    'fields of other types': [400, () => json({ user_id: 1, event_name: [], event_type: 'x', meta_data: 'y' })],
    'a text as the body': [400, () => json('kill-enemy')],
    'null as the body': [400, () => json(null)],
    'half a document': [400, () => ({ body: '{"user_id":' })],
    'bytes that are no UTF-8': [400, () => ({ body: Buffer.from([0x22, 0xff, 0x22]) })],
    'a text with NUL': [400, () => json({ ...kill, user_id: 'u\0' })],
    'half a character': [400, () => ({ body: '{"user_id":"\\ud800","event_name":"match-start"}' })],
    'a document nested too deeply': [400, () => ({ body: `${'['.repeat(60)}${']'.repeat(60)}` })],
    'a document too wide': [
      400,
      () => json({ ...kill, meta_data: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`k${n}`, n])) }),
    ],
    'a name that objects have': [400, () => ({ body: '{"__proto__":{"user_id":"u1"},"constructor":1}' })],
    'a key against repeats': [200, () => withHeaders({ 'Idempotency-Key': 'once' })],
    'a key against repeats that is too long': [400, () => withHeaders({ 'Idempotency-Key': 'k'.repeat(256) })],
    'an id of the client': [200, () => withHeaders({ 'X-Request-Id': 'chosen-1' })],
    'an id that cannot be one': [200, () => withHeaders({ 'X-Request-Id': 'no id' })],
    'a proxy in between': [
      401,
      () => withHeaders({ Authorization: 'Bearer x', 'X-Forwarded-For': '203.0.113.7, ::1' }),
    ],
    'proxies all the way': [
      401,
      () => withHeaders({ Authorization: 'Bearer x', 'X-Forwarded-For': '127.0.0.2,, 127.0.0.3' }),
    ],
    'a charset': [200, () => withHeaders({ 'Content-Type': 'application/json; charset=UTF-8' })],
    'a batch': [200, () => batch([kill, { ...kill, meta_data: {} }, { event_name: 'match-start' }, 'no event', null])],
    'a batch with a key against repeats': [200, () => batch([kill, kill], { headers: { 'Idempotency-Key': 'all' } })],
    'an empty batch': [400, () => batch([])],
    'a batch that is too long': [400, () => batch(Array(1_001).fill(null))],
    'a batch that is none': [400, () => json(kill, { path: paths.batch })],
  };

  it.each(Object.entries(cases))('answers %s as Express does', async (_name, [status, sent]) => {
    const { short, long } = await both(sent());
    expect(short).toBe(long);
    expect(short).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('answers whatever the document is as Express does', async () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('u1', 'kill-enemy', 'match-start', 'single'));
    const field = fc.oneof(texts, fc.jsonValue(), fc.dictionary(texts, fc.oneof(fc.integer(), texts)));
    const names = ['user_id', 'event_name', 'event_type', 'team_id', 'session_id', 'meta_data', 'metadata'];
    const events = fc.dictionary(fc.constantFrom(...names), field);
    await fc.assert(
      fc.asyncProperty(fc.oneof(events, fc.array(events, { maxLength: 3 })), async (value) => {
        const { short, long } = await both(Array.isArray(value) ? batch(value) : json(value));
        expect(short).toBe(long);
      }),
      { numRuns: scale(30, 1_000) },
    );
  });

  it('stores the same, and counts a key against repeats once for both', async () => {
    const amounts = async () => {
      const read = await import('../../daemon/platform/database/database.js');
      const database = await read.Database.connect(daemon.databaseUrl);
      const rows = await database.read.gameEvent.findMany({ where: { userId: 'stored' }, orderBy: { id: 'asc' } });
      await database.close();
      return rows.map(({ id: _id, createdAt: _createdAt, ...row }) => row);
    };
    const event = { ...kill, user_id: 'stored', session_id: 's', meta_data: { amount: 3, map_name: 'm', other: 1 } };
    await both(json(event));
    const [one, other, ...more] = await amounts();
    expect(one).toEqual(other);
    expect(more).toEqual([]);
    await both(json(event, { headers: { 'Idempotency-Key': 'for-both' } }));
    expect(await amounts()).toHaveLength(3);
  });

  it('leaves everything unusual to Express', async () => {
    const unusual: readonly [status: number, bytes: string][] = [
      [405, `GET ${paths.single} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`],
      [
        400,
        `POST ${paths.single} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${keys.game}\r\nConnection: close\r\n\r\n`,
      ],
      [404, requestOf(json(kill, { path: `${paths.single}/` }), 'length').toString()],
      [415, requestOf(withHeaders({ 'Content-Type': 'text/plain' }), 'length').toString()],
      [413, requestOf({ body: 'x'.repeat(300_000) }, 'length').toString()],
      [404, requestOf(json(kill, { path: '/API/v1/events' }), 'length').toString()],
    ];
    for (const [status, bytes] of unusual) {
      const before = byExpress.count;
      expect(await exchange(daemon.url, bytes)).toMatchObject({ status });
      expect(byExpress.count).toBe(before + 1);
    }
  });

  it('answers requests of one connection in their order', async () => {
    const client = await rawClient(daemon.url);
    const open = (id: string) => requestOf(withHeaders({ 'X-Request-Id': id, Connection: 'keep-alive' }), 'length');
    client.send(Buffer.concat([open('a'), open('b'), requestOf(withHeaders({ 'X-Request-Id': 'c' }), 'length')]));
    expect([...(await client.all()).matchAll(/^X-Request-Id: (.*)\r$/gm)].map(([, id]) => id)).toEqual(['a', 'b', 'c']);
  });

  it('outlives a client that leaves in the middle of its event', async () => {
    const client = await rawClient(daemon.url);
    client.send(requestOf(json(kill), 'length').subarray(0, -5));
    client.close();
    expect(await answer(json(kill), 'length')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('counts against the limits as Express does', async () => {
    const max = 12;
    const few = { EARSHOT_RATE_LIMIT_CREDENTIAL: String(max), EARSHOT_RATE_LIMIT_ADDRESS: String(max) };
    const limited = await startDaemon({ settings: few });
    const fresh = async () => {
      const { credential } = await limited.clientWith(['gameplay'], limited.projectId);
      return credential?.kind === 'apiKey' ? credential.key : '';
    };
    try {
      for (const framing of ['length', 'chunks'] as const) {
        const headers = { Authorization: `Bearer ${await fresh()}` };
        const answers: string[] = [];
        for (let sent = 0; sent <= max; sent += 1)
          answers.push(await answer(json(kill, { headers }), framing, limited.url));
        expect(answers.map((text) => text.slice(0, 12))).toEqual([...Array(max).fill('HTTP/1.1 200'), 'HTTP/1.1 429']);
      }
      const headers = { Authorization: 'Bearer nothing' };
      for (let sent = 0; sent <= max; sent += 1) await answer(json(kill, { headers }), 'length', limited.url);
      const { short, long } = await both(json(kill, { headers }), limited.url);
      expect(short.replace(/Retry-After: \d+|"Try again[^"]*"/g, '*')).toBe(
        long.replace(/Retry-After: \d+|"Try again[^"]*"/g, '*'),
      );
      expect(short).toMatch(/^HTTP\/1\.1 429 /);
    } finally {
      await limited.stop();
    }
  });

  it('asks for the project where the tenant has two', async () => {
    await daemon.admin.call(projectRoutes.create, { body: { name: 'second' } });
    const { short, long } = await both(withHeaders({ Authorization: `Bearer ${keys.tenant}` }));
    expect(short).toBe(long);
    expect(short).toMatch(/^HTTP\/1\.1 400 /);
  });
});
