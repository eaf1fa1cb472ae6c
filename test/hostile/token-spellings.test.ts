/** Base64url has several spellings of the same bytes: a room token holds in the one that was given out, and in no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { deadOffer, postOffer, roomToken, signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 40);
const daemon = new DaemonProcess({}, rentedMachine);
beforeAll(() => daemon.start());
afterAll(() => daemon.dispose());

/** The token with each other signature that a lenient decoder reads as the same bytes. */
function otherSpellings(token: string): string[] {
  const at = token.lastIndexOf('.') + 1;
  const [rest, signature] = [token.slice(0, at), token.slice(at)];
  const bytes = Buffer.from(signature, 'base64url');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const lastOnes = [...alphabet].map((last) => signature.slice(0, -1) + last);
  const padded = [`${signature}=`, `${signature}==`, signature.replaceAll('-', '+').replaceAll('_', '/')];
  return [...lastOnes, ...padded]
    .filter((one) => one !== signature && Buffer.from(one, 'base64url').equals(bytes))
    .map((one) => rest + one);
}

describe('a room token', { timeout: 60_000 }, () => {
  it('is refused in every spelling but its own, so that its offers are counted together', async () => {
    const { client, projectId } = await signIn(daemon.url);
    const token = await roomToken(client, projectId, 'arena', 'eve');
    const others = otherSpellings(token);
    expect(others.length).toBeGreaterThanOrEqual(3);
    const statuses: number[] = [];
    await watchingHealth(
      daemon,
      `${rounds * others.length} offers by one token in ${others.length} spellings`,
      async () => {
        for (let round = 0; round < rounds; round += 1)
          for (const other of others)
            statuses.push((await postOffer(daemon.url, 'whip', 'arena', other, deadOffer('whip'))).status);
      },
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect((await postOffer(daemon.url, 'whip', 'arena', token, deadOffer('whip'))).status).toBe(201);
  });
});
