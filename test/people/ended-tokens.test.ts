/**
 * Room tokens and player tokens end when their person is erased or gets another id, and those made afterwards work,
 * wherever the clock goes in between: backwards, or nowhere.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../src/contract/routes.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

const hour = 3_600_000;
const begins = Date.UTC(2026, 0, 1, 12);

describeDaemonsOnEachDatabase('tokens', (start) => {
  let now = begins;
  let daemon: TestDaemon;
  let params: { readonly projectId: string };
  let user = 0;
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(now) });
    params = { projectId: daemon.projectId };
    await daemon.client.call(routes.settings.put, { params, body: { tokenProvider: 'embedded' } });
  });
  beforeEach(() => {
    now = begins;
    user += 1;
  });
  afterAll(() => daemon.stop());

  const roomTokens = {
    tokenFor: async (userId: string): Promise<string> => {
      const body = { roomId: 'arena', userId };
      return (await daemon.client.call(routes.tokens.generateForProject, { params, body })).token;
    },
    path: () => '/rooms/arena/events',
    refusal: 401,
  };
  const playerTokens = {
    tokenFor: async (userId: string): Promise<string> =>
      (await daemon.client.call(routes.players.createToken, { params: { ...params, userId } })).token,
    path: () => `/api/v1/challenges/personal/get/${params.projectId}`,
    refusal: 403,
  };
  const erase = (userId: string) => daemon.client.call(routes.people.erase, { params: { ...params, user: userId } });
  const move = (userId: string, externalUserId: string) =>
    daemon.client.call(routes.personMoves.move, { params: { ...params, user: userId }, body: { externalUserId } });

  describe.each([
    ['of rooms', roomTokens],
    ['of players', playerTokens],
  ] as const)('%s', (_, { tokenFor, path, refusal }) => {
    /** Status of what only the holder of a token is answered. */
    const used = async (token: string): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      const abort = new AbortController();
      const { status } = await fetch(`${daemon.url}${path()}`, { headers, signal: abort.signal });
      abort.abort();
      return status;
    };

    for (const [step, ms] of [
      ['stands still', 0],
      ['is set back by half a minute', -30_000],
      ['is set back by two hours', -2 * hour],
    ] as const) {
      it(`end with the erasure of the person while the clock ${step}, and those made after it work`, async () => {
        const id = `erased-${user}`;
        await daemon.client.call(routes.participants.create, { params, body: { externalUserId: id } });
        const [before, others] = [await tokenFor(id), await tokenFor(`other-${user}`)];
        expect(await used(before)).toBe(200);
        now += ms;
        await erase(id);
        expect(await used(before)).toBe(refusal);
        const after = await tokenFor(id);
        expect(await used(after)).toBe(200);
        expect(await used(others)).toBe(200);

        // Once more: the tokens of both times end.
        await daemon.client.call(routes.participants.create, { params, body: { externalUserId: id } });
        now += ms;
        await erase(id);
        expect(await used(after)).toBe(refusal);
        expect(await used(before)).toBe(refusal);
        expect(await used(await tokenFor(id))).toBe(200);
      });

      it(`end when the person gets another id while the clock ${step}`, async () => {
        const id = `moved-${user}`;
        await daemon.client.call(routes.participants.create, { params, body: { externalUserId: id } });
        const before = await tokenFor(id);
        expect(await used(before)).toBe(200);
        now += ms;
        await move(id, `new-${user}`);
        expect(await used(before)).toBe(refusal);
        const [other, own] = [await tokenFor(id), await tokenFor(`new-${user}`)];
        expect(await used(other)).toBe(200);
        expect(await used(own)).toBe(200);
        now += ms;
        await move(`new-${user}`, `newest-${user}`);
        expect(await used(own)).toBe(refusal);
        expect(await used(before)).toBe(refusal);
        expect(await used(other)).toBe(200);
      });
    }

    it('are refused until they expire, however long the clock was ahead', async () => {
      const id = `erased-${user}`;
      await daemon.client.call(routes.participants.create, { params, body: { externalUserId: id } });
      now = begins + 24 * hour;
      const before = await tokenFor(id);
      expect(await used(before)).toBe(200);
      now = begins;
      await erase(id);
      now = begins + 24 * hour + 60_000;
      expect(await used(before)).toBe(refusal);
    });
  });
});
