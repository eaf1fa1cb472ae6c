/** What the reporters of a case have in common besides the minute is shown to who decides it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('a case', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  /** Reports by these people, each in an hour of its own. */
  const reports = async (externalUserId: string, reporters: readonly string[]) => {
    let caseId = '';
    for (const reporterUserId of reporters) {
      now = new Date(now.getTime() + 3_600_000);
      const body = { externalUserId, category: 'spam', reporterUserId };
      caseId = (await daemon.client.call(reportRoutes.create, { params: params(), body })).caseId ?? '';
    }
    return caseId;
  };
  const shared = async (id: string) =>
    (await daemon.client.call(caseRoutes.get, { params: { ...params(), id } })).shared;

  it('shows whom else at least three of its reporters reported within 30 days', async () => {
    await reports('rival', ['a', 'b', 'c', 'z']);
    await reports('other', ['a', 'b']);
    const id = await reports('target', ['a', 'b', 'c', 'd']);
    expect(await shared(id)).toEqual([{ what: 'reports', about: 'rival', reporters: ['a', 'b', 'c'] }]);
    now = new Date(now.getTime() + 31 * 86_400_000);
    expect(await shared(id)).toEqual([]);
  });

  it('shows that at least three of its reporters sit in one gathering, however far apart they reported', async () => {
    const { id: gathering } = await daemon.client.call(gatheringRoutes.create, {
      params: params(),
      body: { name: 'Clan' },
    });
    for (const externalUserId of ['e', 'f', 'g']) {
      const body = { externalUserId };
      const { id: participantId } = await daemon.client.call(participantRoutes.create, { params: params(), body });
      const item = { params: { ...params(), id: gathering } };
      await daemon.client.call(gatheringMemberRoutes.add, { ...item, body: { participantId } });
    }
    const id = await reports('victim', ['e', 'f', 'g', 'h']);
    expect(await shared(id)).toEqual([{ what: 'gathering', about: null, reporters: ['e', 'f', 'g'] }]);
  });

  it('shows nothing of fewer than three', async () => {
    await reports('somebody', ['i', 'j']);
    expect(await shared(await reports('nobody', ['i', 'j']))).toEqual([]);
  });
});
