/** A rebuild goes on after its daemon was killed, and is what it would have been. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { scale } from '../support/scale.js';
import { rebuilding } from './support.js';

const events = scale(3_000, 300_000);
const atOnce = 1_000;
const players = 500;
const amountOf = (index: number): number => (index % 7) + 1;

describe('a rebuild whose daemon is killed', () => {
  const daemon = new DaemonProcess();
  const client = async () => {
    const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
      accountRoutes.loginCredentials,
      { body: administrator },
    );
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  let projectId: string;
  let id: string;
  beforeAll(
    async () => {
      await daemon.start();
      const admin = await client();
      projectId = (await admin.call(projectRoutes.list, {}))[0]?.id ?? '';
      const body = { name: 'Points', eventName: 'earn-points' };
      id = (await admin.call(leaderboardRoutes.create, { params: { projectId }, body })).id;
      const key = await admin.call(apiKeyRoutes.create, { body: { name: 'game', scopes: ['gameplay'], projectId } });
      const game = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key: key.key } });
      for (let from = 0; from < events; from += atOnce) {
        const batch = Array.from({ length: Math.min(atOnce, events - from) }, (_, index) => ({
          ...{ user_id: `p${(from + index) % players}`, event_name: 'earn-points' },
          meta_data: { amount: amountOf(from + index) },
        }));
        await game.call(gameplayRoutes.sendEvents, { query: { auth: 'api_key' }, body: { events: batch } });
      }
    },
    scale(60_000, 600_000),
  );
  afterAll(() => daemon.dispose());

  it(
    'is counted, applied and undone to the end by the one that is started next',
    async () => {
      const board = { projectId, id };
      const params = (rebuildId: string) => ({ ...board, rebuildId });
      const restart = async () => {
        await daemon.end('SIGKILL');
        await daemon.start();
        return client();
      };
      const ranking = async (admin: EarshotClient) =>
        (await admin.call(leaderboardRoutes.ranking, { params: board, query: { limit: 5 } })).entries.map(
          ({ memberId, score }) => `${memberId} ${score}`,
        );
      let admin = await client();
      const before = await ranking(admin);
      const cheater = before[0]?.split(' ')[0] ?? '';
      const begun = await admin.call(leaderboardRebuildRoutes.make, { params: board, body: { without: [cheater] } });
      admin = await restart();
      const made = await eventually(async () => {
        const rebuild = await admin.call(leaderboardRebuildRoutes.get, { params: params(begun.id) });
        expect(rebuild.status).toBe('ready');
        return rebuild;
      }, 120_000);
      const own = Array.from({ length: events }, (_, index) => index).filter(
        (index) => index % players === Number(cheater.slice(1)),
      );
      const score = own.reduce((sum, index) => sum + amountOf(index), 0);
      expect(made).toMatchObject({
        events: events - own.length,
        changed: 1,
        changes: [{ memberId: cheater, before: { rank: 1, score } }],
      });
      await admin.call(leaderboardRebuildRoutes.apply, { params: params(begun.id) });
      admin = await restart();
      await eventually(async () => expect(await ranking(admin)).not.toContain(`${cheater} ${score}`), 120_000);
      expect((await ranking(admin))[0]).toBe(before[1]);
      await rebuilding(admin, board).undo(begun.id);
      expect(await ranking(admin)).toEqual(before);
    },
    scale(60_000, 600_000),
  );
});
