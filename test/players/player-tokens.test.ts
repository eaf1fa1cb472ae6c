import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { PlayerTokens } from '../../daemon/modules/players/player-tokens.js';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const key = randomBytes(32);
const who = { tenantId: 't', projectId: 'p', userId: 'u_42' };
const ended = { generation: async () => null };
const tokensAt = (time: { now: number }, signingKey = key) =>
  new PlayerTokens(signingKey, ended, () => new Date(time.now));
const refused = { code: 'player_token_invalid', status: 403 };

describe('player tokens', () => {
  it('encode application and user, and are longer than an API key can be', async () => {
    const tokens = tokensAt({ now: start });
    const token = await tokens.sign(who);
    expect(token.length).toBeGreaterThan(64);
    expect(await tokens.verify(token)).toMatchObject({ ...who, expiresAt: new Date(start + 24 * hour) });
  });

  it('are valid for 24 hours and not a moment longer, remembered or not', async () => {
    const time = { now: start };
    const tokens = tokensAt(time);
    const token = await tokens.sign(who);
    time.now = start + 24 * hour - 1;
    await expect(tokens.verify(token)).resolves.toMatchObject(who);
    time.now = start + 24 * hour;
    await expect(tokens.verify(token)).rejects.toMatchObject(refused);
    await expect(tokensAt(time).verify(token)).rejects.toMatchObject(refused);
  });

  it.each([
    ['another key', async () => tokensAt({ now: start }, randomBytes(32)).sign(who)],
    [
      'a changed letter',
      async () => (await tokensAt({ now: start }).sign(who)).replace(/.$/, (c) => (c === 'A' ? 'Q' : 'A')),
    ],
    ['no token at all', async () => 'x'.repeat(80)],
    [
      'no algorithm',
      async () => {
        const [, claims] = (await tokensAt({ now: start }).sign(who)).split('.');
        return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
      },
    ],
    [
      'another audience, as of a user token',
      async () =>
        new SignJWT({ tenant: 't', project: 'p' })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('earshot')
          .setAudience('earshot:user')
          .setSubject('u_42')
          .setJti('1')
          .setExpirationTime(start / 1000 + 60)
          .sign(key),
    ],
  ])('are refused with %s', async (_, forge) => {
    await expect(tokensAt({ now: start }).verify(await forge())).rejects.toMatchObject(refused);
  });
});
