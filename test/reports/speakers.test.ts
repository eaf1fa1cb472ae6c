/** Cases of people who speak come first, however many speak at the same time. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CaseStore } from '../../daemon/modules/reports/cases/case-store.js';
import { CaseRanking } from '../../daemon/modules/reports/cases/ranking.js';
import { Database } from '../../daemon/platform/database/database.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('cases of people who speak', (start) => {
  let daemon: TestDaemon;
  let database: Database;
  const now = new Date('2026-01-01T00:00:00.000Z');
  const nobodyGone: ReadonlySet<string> = new Set();
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    database = await Database.connect(daemon.databaseUrl);
  });
  afterAll(async () => {
    await database.close();
    await daemon.stop();
  });

  it('come before all others, and each case once, also where a thousand speak', async () => {
    const params = { projectId: daemon.projectId };
    const people = ['quiet-1', 'loud-1', 'quiet-2', 'loud-2', 'quiet-3'];
    for (const externalUserId of people)
      await daemon.client.call(reportRoutes.create, { params, body: { category: 'harassment', externalUserId } });
    const crowd = Array.from({ length: 1_000 }, (_, place) => `speaker-${place}`);
    const rooms = [
      { roomId: 'stadium', peers: [], speaking: crowd },
      { roomId: 'hall', peers: [], speaking: ['loud-1', 'loud-2'] },
    ];
    const ranking = new CaseRanking({ cases: new CaseStore(database), rooms: { list: async () => rooms } });
    const seen: (string | null)[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const query = { limit: 2, ...(after === undefined ? {} : { after }) };
      const { cases, next } = await ranking.page(daemon.projectId, query, now, nobodyGone);
      seen.push(...cases.map(({ externalUserId }) => externalUserId));
      after = next;
    }
    expect(seen.slice(0, 2).toSorted()).toEqual(['loud-1', 'loud-2']);
    expect(seen.toSorted()).toEqual(people.toSorted());
  });
});
