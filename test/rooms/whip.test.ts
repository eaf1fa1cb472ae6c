/** WHIP (RFC 9725) and WHEP as clients of others send them: mixed offers, content negotiation, foreign origins. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { exchange } from '../support/raw-http.js';
import { deadOffer, type MediaProtocol, postOffer, roomToken } from '../support/room-client.js';

const origin = 'https://play.example';
let daemon: TestDaemon;
let aheadMs = 0;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => new Date(Date.now() + aheadMs), settings: { EARSHOT_CORS_ORIGINS: origin } });
});
afterAll(() => daemon.stop());

const token = (person: string) => roomToken(daemon.client, daemon.projectId, 'arena', person);
let people = 0;
const offer = async (kind: MediaProtocol, sdp: string, headers: Record<string, string> = {}) => {
  people += 1;
  return postOffer(daemon.url, kind, 'arena', await token(`person ${people}`), sdp, headers);
};

const video = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
  'c=IN IP4 0.0.0.0',
  'a=mid:v',
  'a=sendrecv',
  'a=rtpmap:96 VP8/90000',
];
const data = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'c=IN IP4 0.0.0.0', 'a=mid:d', 'a=sctp-port:5000'];
const lines = (...texts: string[][]) => texts.map((text) => `${text.join('\r\n')}\r\n`).join('');
/** The offer of `deadOffer` with other lines before and behind its audio. */
const mixed = (kind: MediaProtocol, before: string[][], behind: string[][]) => {
  const [session = '', audio = ''] = deadOffer(kind)
    .replace('BUNDLE 0', 'BUNDLE v 0 d')
    .split(/(?=m=audio)/);
  return session + lines(...before) + audio + lines(...behind);
};
const mediaLines = (sdp: string) => sdp.match(/^m=.*$/gm)?.map((line) => line.trim());

describe.each(['whip', 'whep'] as const)('%s', (kind) => {
  it.each([
    ['behind', [], [video, data], [/^m=audio [1-9]/, /^m=video 0 UDP\/TLS\/RTP\/SAVPF 96 97$/, /^m=application 0 /]],
    ['before', [video, data], [], [/^m=video 0 /, /^m=application 0 /, /^m=audio [1-9]/]],
  ])('answers video and a data channel %s the audio with port 0', async (_, before, behind, expected) => {
    const response = await offer(kind, mixed(kind, before, behind));
    expect(response.status).toBe(201);
    const answer = await response.text();
    expect(mediaLines(answer)).toEqual(expected.map((line) => expect.stringMatching(line)));
    expect(answer).toMatch(/^a=group:BUNDLE 0\r$/m);
    expect(answer.match(/^a=mid:.*$/gm)).toHaveLength(3);
  });

  it('refuses audio that has no transport but that of a video line', async () => {
    const sdp = mixed(kind, [video], [])
      .replace('m=audio 9', 'm=audio 0')
      .replace('a=mid:0', 'a=mid:0\r\na=bundle-only');
    const response = await offer(kind, sdp);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('put the audio first') });
  });

  it('refuses an offer that has no audio', async () => {
    const [session = ''] = deadOffer(kind).split(/(?=m=audio)/);
    const response = await offer(
      kind,
      session + lines([...video, 'a=ice-ufrag:abcd', 'a=ice-pwd:x', 'a=fingerprint:x']),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'sdp_invalid' });
  });

  it.each([
    ['application/json', 406],
    ['text/html, application/sdp;q=0', 406],
    ['application/sdp', 201],
    ['application/*', 201],
    ['*/*', 201],
  ])('answers Accept: %s with %i', async (accept, status) => {
    const response = await offer(kind, deadOffer(kind), { Accept: accept });
    expect(response.status).toBe(status);
    if (status === 201) expect(response.headers.get('content-type')).toBe('application/sdp');
    if (status === 406) expect(await response.json()).toMatchObject({ code: 'not_acceptable' });
  });

  it('names a resource that knows DELETE, without an ETag that nothing could use', async () => {
    const own = await token(kind);
    const response = await postOffer(daemon.url, kind, 'arena', own, deadOffer(kind));
    expect(response.headers.get('etag')).toBeNull();
    const location = `${daemon.url}${response.headers.get('location')}`;
    const headers = { Authorization: `Bearer ${own}` };
    expect((await fetch(location, { method: 'PATCH', headers })).status).toBe(405);
    expect((await fetch(location, { method: 'DELETE', headers })).status).toBe(200);
  });

  it.each(['by the client', 'by the room'])(
    'deletes without a complaint for a minute what was ended %s',
    async (by) => {
      const person = `${kind} ended ${by}`;
      const own = await token(person);
      const response = await postOffer(daemon.url, kind, 'arena', own, deadOffer(kind));
      const location = `${daemon.url}${response.headers.get('location')}`;
      const remove = async (url: string, credential: string) =>
        (await fetch(url, { method: 'DELETE', headers: { Authorization: `Bearer ${credential}` } })).status;
      if (by === 'by the client') expect(await remove(location, own)).toBe(200);
      else expect((await postOffer(daemon.url, kind, 'arena', own, deadOffer(kind))).status).toBe(201); // replaces it
      expect(await remove(location, own)).toBe(200);
      expect(await remove(location, await token('somebody else'))).toBe(404);
      expect(await remove(`${location}x`, own)).toBe(404);
      aheadMs = 61_000;
      expect(await remove(location, own)).toBe(404);
      aheadMs = 0;
    },
  );

  it('asks for a room token, and for no key of the API', async () => {
    const response = await postOffer(daemon.url, kind, 'arena', 'nonsense', deadOffer(kind));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="earshot"');
  });

  it.each(['', '/some-resource'])('lets a page of a configured origin call it%s', async (place) => {
    const url = `${daemon.url}/rooms/arena/${kind}${place}`;
    const method = place === '' ? 'POST' : 'DELETE';
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-methods')).toContain(method);
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Content-Type/);
    const foreign = await fetch(url, { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } });
    expect(foreign.status).toBe(204);
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    expect(foreign.headers.get('allow')).toContain(method);
  });

  it('shows such a page where the resource is', async () => {
    const response = await offer(kind, deadOffer(kind), { Origin: origin });
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Location', 'Link', 'Retry-After']));
  });
});

it('takes the first eight lines that a listener offers, and answers the ninth with port 0', async () => {
  const [session = '', audio = ''] = deadOffer('whep').split(/(?=m=audio)/);
  const mids = Array.from({ length: 10 }, (_, index) => String(index));
  const sdp =
    session.replace('BUNDLE 0', `BUNDLE ${mids.join(' ')}`) +
    mids.map((mid) => audio.replace('mid:0', `mid:${mid}`)).join('');
  const response = await offer('whep', sdp);
  expect(response.status).toBe(201);
  const answer = await response.text();
  expect(answer.match(/^a=mid:\d+/gm)).toEqual(mids.map((mid) => `a=mid:${mid}`));
  const ports = mediaLines(answer)?.map((line) => Number(line.split(' ')[1]));
  expect(ports?.map((port) => port > 0)).toEqual([...Array(8).fill(true), false, false]);
  expect(answer).toMatch(/^a=group:BUNDLE 0 1 2 3 4 5 6 7\r$/m);
});

describe('a raw client', () => {
  it('joins and leaves with nothing but the lines of the RFC', async () => {
    const body = deadOffer('whip');
    const credential = `Authorization: Bearer ${await token('raw')}`;
    const head = [`Host: ${new URL(daemon.url).host}`, credential, 'Connection: close'].join('\r\n');
    const posted = await exchange(
      daemon.url,
      `POST /rooms/arena/whip HTTP/1.1\r\n${head}\r\nContent-Type: application/sdp\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(posted.status).toBe(201);
    expect(posted.headers).toMatch(/^Content-Type: application\/sdp/im);
    expect(posted.body).toMatch(/^v=0\r\n/);
    const location = /^Location: (\S+)/im.exec(posted.headers)?.[1];
    expect((await exchange(daemon.url, `DELETE ${location} HTTP/1.1\r\n${head}\r\n\r\n`)).status).toBe(200);
  });
});
