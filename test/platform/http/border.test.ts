/** Refusals that all operations share, before they are asked for anything. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyLimitBytesDefault } from '../../../daemon/platform/http/bodies/bodies.js';
import { ErrorBody } from '../../../src/contract/errors.js';
import { sanctionBatchRoutes } from '../../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { exchange, rawClient } from '../../support/raw-http.js';

let daemon: TestDaemon;
let people: string;
beforeAll(async () => {
  daemon = await startDaemon();
  people = `/api/projects/${daemon.projectId}/participants`;
});
afterAll(() => daemon.stop());

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

async function ask(path: string, { headers = {}, ...init }: Init = {}) {
  const response = await fetch(daemon.url + path, { ...init, headers: { 'X-API-Key': daemon.apiKey, ...headers } });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  ask(people, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } });

describe('a path that is not there', () => {
  it.each(['/nowhere', '/api/projects/x/nowhere', '/api//projects', '/API/projects'])('%s is named', async (path) => {
    const { status, body } = await ask(path);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'route_not_found' });
    expect(body.message).toContain(`GET ${path}`);
  });

  it('is told in the words of the hosted service under /api/v1', async () => {
    expect((await ask('/api/v1/nowhere')).body).toMatchObject({ status_code: 404, error_slug: 'route_not_found' });
  });
});

describe('an answer of the API', () => {
  it.each(['/api', '/api/auth/session', '/api/events/schema', '/api/openapi.json', '/nowhere', '/health/live'])(
    '%s is kept by no cache without asking again',
    async (path) => expect((await ask(path)).headers.get('cache-control')).toMatch(/^no-(store|cache)$/),
  );

  it('about a project is kept by no cache at all, refused or not', async () => {
    for (const init of [{}, { headers: { 'X-API-Key': 'wrong' } }])
      expect((await ask(people, init)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('a method that the path does not know', () => {
  it.each([
    ['PUT', '/api', 'GET, HEAD'],
    ['GET', '/api/auth/logout', 'POST'],
    ['PATCH', '/api/projects', 'GET, HEAD, POST'],
    ['HEAD', '/api/events/stream', 'GET'],
  ])('%s %s is 405 and says what it allows', async (method, path, allow) => {
    const { status, headers } = await ask(path, { method });
    expect(status).toBe(405);
    expect(headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  it('is told to who asks by OPTIONS', async () => {
    const { status, headers } = await ask('/api', { method: 'OPTIONS' });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 204, allow: 'GET, HEAD' });
  });

  it('is not HEAD, which answers as GET without the body', async () => {
    expect(await ask('/api', { method: 'HEAD' })).toMatchObject({ status: 200, body: null });
  });
});

describe('a body', () => {
  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset="UTF-8"', 201],
    ['application/merge-patch+json', 201],
  ])('of the type %s is %i', async (type, status) => {
    expect((await post('{"externalUserId":"typed"}', { 'Content-Type': type })).status).toBe(status);
  });

  it('in an encoding that nobody knows is 415', async () => {
    expect(await post('x', { 'Content-Encoding': 'rot13' })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  it('that is too large is 413, packed or not', async () => {
    const large = JSON.stringify({ externalUserId: 'x'.repeat(bodyLimitBytesDefault) });
    expect(await post(large)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    expect((await post(gzipSync(large), { 'Content-Encoding': 'gzip' })).status).toBe(413);
  });

  it('that comes packed is read', async () => {
    const packed = gzipSync(JSON.stringify({ externalUserId: 'packed' }));
    expect((await post(packed, { 'Content-Encoding': 'gzip' })).status).toBe(201);
  });

  it.each([
    ['not JSON', '{"externalUserId":'],
    ['not UTF-8', Buffer.from([...Buffer.from('{"externalUserId":"'), 0xff, ...Buffer.from('"}')])],
    ['UTF-16 by a byte order mark', Buffer.from('\ufeff{"externalUserId":"u"}', 'utf16le')],
  ])('that is %s is 400', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
  });

  it.each([
    ['NUL in a value', { externalUserId: 'a\0b' }, 'body.externalUserId'],
    ['a lone surrogate in a value', { externalUserId: '\ud800' }, 'body.externalUserId'],
    ['NUL deep inside', { externalUserId: 'u', userData: { list: [1, { deep: '\0' }] } }, 'body.userData.list.1.deep'],
    ['a lone surrogate in a name', { externalUserId: 'u', userData: { '\udfff': 1 } }, 'body.userData'],
  ])('with %s is 400 and the place is named', async (_, body, path) => {
    expect(await post(JSON.stringify(body))).toMatchObject({
      status: 400,
      body: { code: 'text_not_allowed', details: [{ path }] },
    });
  });

  it('may hold half an emoji in text that people wrote, which becomes U+FFFD', async () => {
    const sent = JSON.stringify({ externalUserId: 'half', displayName: 'Zo\ud83d', userData: { map: 'x' } });
    expect(await post(sent)).toMatchObject({ status: 201, body: { displayName: 'Zo\ufffd', userData: { map: 'x' } } });
    const { projectId, client } = daemon;
    const session = await client.call(sessionRoutes.create, {
      params: { projectId },
      body: { title: '\udc00 Match', externalRoomId: 'r', autoStart: false },
    });
    expect(session.title).toBe('\ufffd Match');
    const params = { projectId, id: session.id };
    const message = await client.call(sessionRoutes.say, {
      params,
      body: { externalUserId: 'half', content: 'rude\ud83d' },
    });
    expect(message.content).toBe('rude\ufffd');
    const body = { type: 'warn', externalUserId: 'half', reason: 'he said \ud83d' } as const;
    expect((await client.call(sanctionRoutes.create, { params: { projectId }, body })).reason).toBe('he said \ufffd');
    const batch = { batchId: 'half', items: [body, { ...body, reason: 'whole' }] };
    expect(await client.call(sanctionBatchRoutes.apply, { params: { projectId }, body: batch })).toMatchObject({
      created: 2,
    });
  });

  it('may hold every whole character', async () => {
    expect((await post(JSON.stringify({ externalUserId: 'emoji', displayName: '🎮 Ünï' }))).body.displayName).toBe(
      '🎮 Ünï',
    );
  });

  it.each([
    ['nested too deeply', `{"externalUserId":"u","userData":{"a":${'['.repeat(50)}${']'.repeat(50)}}}`],
    ['nested as deeply as its bytes allow', '['.repeat(100_000)],
    [
      'wider than an object may be',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [i, i]))),
    ],
  ])('%s is 400', async (_, body) => {
    expect((await post(body)).status).toBe(400);
  });

  const nested = (depth: number) => `{"externalUserId":"u","userData":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  const wide = (keys: number) =>
    JSON.stringify({
      externalUserId: 'u',
      userData: Object.fromEntries(Array.from({ length: keys }, (_, i) => [i, i])),
    });
  const long = (items: number) => JSON.stringify({ externalUserId: 'u', userData: { list: Array(items).fill(0) } });
  it.each([
    ['deep', nested(38), 201, undefined],
    ['deep', nested(39), 400, [{ path: `body.userData.a${'.0'.repeat(38)}`, message: 'is nested more than 40 deep' }]],
    ['wide', wide(1_000), 201, undefined],
    ['wide', wide(1_001), 400, [{ path: 'body.userData', message: 'has more than 1000 keys' }]],
    ['long', long(10_000), 201, undefined],
    ['long', long(10_001), 400, [{ path: 'body.userData.list', message: 'has more than 10000 items' }]],
  ])('may be as %s as the limit, and beyond it the place is named', async (_, body, status, details) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status });
    expect(answer.body.details).toEqual(details);
  });

  it.each([
    ['a participant', () => people, '{"externalUserId":"p","userData":{"a":[{"__proto__":{"x":1}}]}}', 'userData.a.0.'],
    ['a participant itself', () => people, '{"externalUserId":"p","__proto__":{"displayName":"x"}}', ''],
    [
      'a game event',
      () => `/api/projects/${daemon.projectId}/players/u/events`,
      '{"event_name":"kill-enemy","meta_data":{"amount":1,"__proto__":{"map_name":"x"}}}',
      'meta_data.',
    ],
  ])(
    'of %s with a key __proto__, which would be lost, is 400 and the place is named',
    async (_, path, body, within) => {
      const headers = { 'Content-Type': 'application/json' };
      expect(await ask(path(), { method: 'POST', headers, body })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', details: [{ path: `body.${within}__proto__` }] },
      });
      expect(Reflect.get({}, 'x')).toBeUndefined();
    },
  );

  it('may hold other names that objects inherit', async () => {
    const userData = { constructor: { prototype: 1 }, toString: 'x' };
    expect((await post(JSON.stringify({ externalUserId: 'proto', userData }))).body.userData).toEqual(userData);
  });
});

describe('a query and a path', () => {
  it.each([
    ['NUL', '?search=a%00b'],
    ['a lone surrogate', '?search=%ED%A0%80'],
    ['half a character', '?search=%C3'],
    ['half an escape', '?search=%2'],
  ])('with %s in the query is 400', async (_, query) => {
    expect(await ask(people + query)).toMatchObject({ status: 400, body: { code: 'text_not_allowed' } });
  });

  it('with NUL in the path is 400', async () => {
    expect(await ask(`${people}/a%00b`)).toMatchObject({ status: 400, body: { code: 'text_not_allowed' } });
  });

  it('with half a character in the path is 400', async () => {
    expect((await ask(`${people}/%ED%A0%80`)).status).toBe(400);
  });

  it('takes a name only once where one is meant', async () => {
    expect((await ask(`${people}?limit=1&limit=2`)).status).toBe(400);
  });
});

describe('requests that are sent without waiting for answers', () => {
  it('are answered in their order', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => `/nowhere/${at}`);
    const client = await rawClient(daemon.url);
    client.send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    client.send('GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const answers = [...(await client.all()).matchAll(/There is nothing at GET (\S+)\./g)].map(([, path]) => path);
    expect(answers).toEqual([...paths, '/last']);
  });
});

describe('the OpenAPI document', () => {
  it('is not sent again to who has it', async () => {
    const path = `${daemon.url}/api/openapi.json`;
    const first = await fetch(path, { headers: { 'Accept-Encoding': 'identity' } });
    const etag = first.headers.get('etag') ?? '';
    expect({ status: first.status, length: String((await first.arrayBuffer()).byteLength) }).toEqual({
      status: 200,
      length: first.headers.get('content-length'),
    });
    const again = `GET /api/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${etag}\r\n\r\n`;
    expect((await exchange(daemon.url, again)).status).toBe(304);
    expect(first.headers.get('ratelimit-limit')).not.toBeNull();
  });
});

describe('headers', () => {
  it('larger than 32 KiB are 431, in the body of every error', async () => {
    const { status, body, headers } = await exchange(
      daemon.url,
      `GET /api HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`,
    );
    expect(status).toBe(431);
    const refused = ErrorBody.parse(JSON.parse(body));
    expect(refused.code).toBe('headers_too_large');
    expect(headers).toContain(refused.requestId);
  });

  it('that are no HTTP are 400, in the body of every error', async () => {
    const { status, body } = await exchange(daemon.url, 'HELLO there\r\n\r\n');
    expect({ status, code: ErrorBody.parse(JSON.parse(body)).code }).toEqual({
      status: 400,
      code: 'malformed_request',
    });
  });

  it('with NUL in a value are 400', async () => {
    expect((await exchange(daemon.url, 'GET /api HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n')).status).toBe(400);
  });

  it('with two lengths are 400, so that no proxy reads another request than we do', async () => {
    const smuggled =
      'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect((await exchange(daemon.url, smuggled)).status).toBe(400);
  });
});

describe('a request id', () => {
  it('is kept when it is sane, in the answer and in an error body', async () => {
    const { headers, body } = await ask('/nowhere', { headers: { 'X-Request-Id': 'trace-1.2_3' } });
    expect([headers.get('x-request-id'), body.requestId]).toEqual(['trace-1.2_3', 'trace-1.2_3']);
  });

  it.each(['has space', 'x'.repeat(65), '<script>'])('is made when it is not: %s', async (given) => {
    const { headers } = await ask('/api', { headers: { 'X-Request-Id': given } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('every answer', () => {
  it.each(['/api', '/nowhere', '/health/live'])(
    '%s carries the security headers and no name of a framework',
    async (path) => {
      const { headers } = await ask(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-frame-options')).not.toBeNull();
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('of 401 says how to sign in', async () => {
    const response = await fetch(`${daemon.url}/api/projects`);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
  });
});
