/** Addresses that a room names for sound, and peers that take only some of them: Firefox and libnice take no loopback. */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { deadOffer, postOffer, roomToken } from '../support/room-client.js';
import { Listener, Speaker } from '../support/room-peers.js';

const own = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

let daemon: TestDaemon;
afterEach(() => daemon.stop());

const token = (person: string) => roomToken(daemon.client, daemon.projectId, 'arena', person);
const candidates = (sdp: string): string[] =>
  [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) /gim)].map(([, address = '']) => address);
const named = async () =>
  candidates(await (await postOffer(daemon.url, 'whip', 'arena', await token('ann'), deadOffer('whip'))).text());

/** A STUN binding request (RFC 8489) from somebody who has no password. */
function bindingRequest(username: string): Buffer {
  const padded = Buffer.from(username.padEnd(Math.ceil(username.length / 4) * 4, '\0'));
  const attribute = Buffer.from([0x00, 0x06, 0x00, username.length]);
  const body = username === '' ? Buffer.alloc(0) : Buffer.concat([attribute, padded]);
  const head = Buffer.from([0x00, 0x01, 0x00, body.length, 0x21, 0x12, 0xa4, 0x42]);
  return Buffer.concat([head, randomBytes(12), body]);
}

/** Answers offers without the candidates that the peer does not pair. */
const answering =
  (kind: 'whip' | 'whep', credential: string, pairs: (address: string) => boolean) => async (offerSdp: string) => {
    const sdp = await (await postOffer(daemon.url, kind, 'arena', credential, offerSdp)).text();
    const isPaired = (line: string) => candidates(`${line}\r\n`).every(pairs);
    return sdp
      .split('\r\n')
      .filter((line) => isPaired(line))
      .join('\r\n');
  };

describe('a daemon that only this machine reaches', () => {
  it.each([
    ['that never pairs loopback', (address: string) => !address.startsWith('127.'), own.length > 0],
    ['that pairs loopback alone', (address: string) => address === '127.0.0.1', true],
  ])('lets a peer hear another one %s', async (_, pairs, isPossible) => {
    daemon = await startDaemon();
    if (!isPossible) return expect(await named()).toEqual(['127.0.0.1']); // a machine without a network
    const speaker = new Speaker('ann');
    const listener = new Listener('ben', 1);
    try {
      await listener.join(answering('whep', await token('ben'), pairs));
      await speaker.join(answering('whip', await token('ann'), pairs));
      await speaker.talk(25);
      expect(listener.heardSince(0)).toBeGreaterThan(0);
    } finally {
      speaker.close();
      listener.close();
    }
  });

  it('names the addresses of the host, and loopback after them', async () => {
    daemon = await startDaemon();
    const addresses = await named();
    expect(addresses).toEqual(expect.arrayContaining(own));
    expect(addresses.at(-1)).toBe('127.0.0.1');
    expect(addresses.filter((address) => address === '127.0.0.1')).toHaveLength(1);
  });

  it.skipIf(own.length === 0)('opens nothing but sound on the addresses of the host', async () => {
    daemon = await startDaemon();
    for (const address of own) await expect(fetch(daemon.url.replace('127.0.0.1', address))).rejects.toThrow();
  });

  it('answers no stranger at its port for sound', async () => {
    daemon = await startDaemon();
    const answer = await (await postOffer(daemon.url, 'whip', 'arena', await token('ann'), deadOffer('whip'))).text();
    const [, address = '', port = ''] = /^a=candidate:\S+ 1 udp \d+ ([\d.]+) (\d+) /im.exec(answer) ?? [];
    const socket = createSocket('udp4');
    let answers = 0;
    socket.on('message', () => {
      answers += 1;
    });
    socket.bind();
    await once(socket, 'listening');
    for (const username of ['', 'nobody:abcd']) socket.send(bindingRequest(username), Number(port), address);
    await sleep(500);
    socket.close();
    expect(answers).toBe(0);
  });

  it('stays on loopback for sound as well where EARSHOT_MEDIA_HOST says so', async () => {
    daemon = await startDaemon({ settings: { EARSHOT_MEDIA_HOST: '127.0.0.1' } });
    expect(await named()).toEqual(['127.0.0.1']);
  });
});

it('names no loopback address to people whose links lead elsewhere', async () => {
  daemon = await startDaemon({
    settings: { EARSHOT_PUBLIC_URL: 'https://voice.example', EARSHOT_MEDIA_ADDRESS: '203.0.113.7' },
  });
  const addresses = await named();
  expect(addresses).not.toContain('127.0.0.1');
  expect(addresses.filter((address) => address === '203.0.113.7')).toHaveLength(own.length > 0 ? 1 : 0);
});
