/** Claims of reviews and cases: they end by time and with the access of whoever made them, and no state needs one person to leave it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

const minuteMs = 60_000;
const answer = 'We listened again.';

describeDaemonsOnEachDatabase('claims', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  let count = 0;
  let person: string;
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    person = `u${count}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const move = (id: string, body: UpdateReviewRequest, client = daemon.admin) =>
    client.call(reviewRoutes.update, { ...item(id), body });
  const listed = async (status: 'open' | 'claimed') =>
    (
      await daemon.client.call(reviewRoutes.list, { params: params(), query: { status, externalUserId: person } })
    ).reviews.map(({ id }) => id);
  const appealed = async () => {
    const { id } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: person },
    });
    return (await daemon.client.call(reviewRoutes.appeal, { ...item(id), body: { statement: 'Not me.' } })).id;
  };
  const caseId = async () =>
    (await daemon.client.call(caseRoutes.list, { params: params(), query: { externalUserId: person } })).cases[0]?.id ??
    '';
  const casesIn = async (status: 'open' | 'claimed') => {
    const query = { externalUserId: person, status };
    const { cases } = await daemon.client.call(caseRoutes.list, { params: params(), query });
    return cases.map(({ id }) => id);
  };
  const statusOfCase = async () => (await daemon.client.call(caseRoutes.get, item(await caseId()))).status;
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const someModerator = () => signedInColleague(daemon, 'moderator', person);
  const leave = async (client: EarshotClient, change: 'removed' | 'viewer') => {
    const { email: search } = await client.call(accountRoutes.me, {});
    const [user] = await daemon.admin.call(projectUserRoutes.list, { params: params(), query: { search } });
    const permissionId = user?.permissionId ?? '';
    if (change === 'removed')
      await daemon.admin.call(projectUserRoutes.remove, { params: params(), body: { permissionId } });
    else
      await daemon.admin.call(projectUserRoutes.changeRole, {
        params: params(),
        body: { permissionId, role: 'viewer' },
      });
  };

  it('of a review ends after half an hour, and claiming again renews it', async () => {
    const id = await appealed();
    const other = await someModerator();
    await move(id, { status: 'claimed' });
    pass(20 * minuteMs);
    await move(id, { status: 'claimed' });
    pass(30 * minuteMs - 1);
    await expect(move(id, { status: 'claimed' }, other)).rejects.toMatchObject({ status: 409, code: 'review_claimed' });
    expect([await listed('open'), await listed('claimed')]).toEqual([[], [id]]);
    pass(1);
    expect([await listed('open'), await listed('claimed')]).toEqual([[id], []]);
    expect(await daemon.client.call(reviewRoutes.get, item(id))).toMatchObject({
      ...{ status: 'open', claimedByUserId: null, claimedAt: null },
    });
    await move(id, { status: 'claimed' }, other);
    await expect(move(id, { status: 'decided', decision: 'upheld', answer })).rejects.toMatchObject({
      code: 'review_claimed',
    });
    await move(id, { status: 'decided', decision: 'upheld', answer }, other);
  });

  it('that has run out still lets its holder decide, unless somebody else claimed', async () => {
    const id = await appealed();
    await move(id, { status: 'claimed' });
    pass(31 * minuteMs);
    const decided = await move(id, { status: 'decided', decision: 'upheld', answer });
    expect(decided).toMatchObject({ status: 'decided', decision: 'upheld' });
  });

  it.each(['removed', 'viewer'] as const)(
    'ends when its moderator is %s, for a review and for a case',
    async (change) => {
      const id = await appealed();
      const leaving = await someModerator();
      await move(id, { status: 'claimed' }, leaving);
      await leaving.call(caseRoutes.claim, item(await caseId()));
      await expect(move(id, { status: 'claimed' })).rejects.toMatchObject({ code: 'review_claimed' });
      await expect(daemon.admin.call(caseRoutes.claim, item(await caseId()))).rejects.toMatchObject({
        code: 'case_claimed',
      });
      expect([await listed('open'), await statusOfCase()]).toEqual([[], 'claimed']);
      await leave(leaving, change);
      expect([await listed('open'), await listed('claimed')]).toEqual([[id], []]);
      expect(await statusOfCase()).toBe('open');
      expect(await casesIn('open')).toEqual([await caseId()]);
      expect(await casesIn('claimed')).toEqual([]);
      expect(await daemon.client.call(reviewRoutes.get, item(id))).toMatchObject({ status: 'open' });
      const shown = await daemon.client.call(caseRoutes.get, item(await caseId()));
      expect(shown).toMatchObject({ status: 'open', claimedByUserId: null, reviewList: [{ status: 'open' }] });
      await move(id, { status: 'claimed' });
      await daemon.admin.call(caseRoutes.claim, item(await caseId()));
      await move(id, { status: 'decided', decision: 'overturned', answer });
      expect(await caseId()).toBe(''); // decided with its only review
    },
  );

  it('of a key ends when it is revoked', async () => {
    await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'human_review', externalUserId: person },
    });
    const [id = ''] = await listed('open');
    const { id: keyId, key } = await daemon.admin.call(apiKeyRoutes.create, {
      body: { name: 'leaving', scopes: ['plugins'] },
    });
    const leaving = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    await move(id, { status: 'claimed' }, leaving);
    await expect(move(id, { status: 'claimed' })).rejects.toMatchObject({ code: 'review_claimed' });
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id: keyId } });
    expect(await move(id, { status: 'claimed' })).toMatchObject({ status: 'claimed' });
  });

  it('belongs to whoever takes the decision of a whole case back', async () => {
    await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'human_review', externalUserId: person },
    });
    const [id = ''] = await listed('open');
    const body = { decision: 'no_action', reasonCode: 'no_violation' } as const;
    await daemon.admin.call(caseRoutes.decide, { ...item(await caseId()), body });
    const me = (await daemon.admin.call(accountRoutes.me, {})).id;
    expect(await move(id, { status: 'claimed' })).toMatchObject({ status: 'claimed', claimedByUserId: me });
    expect(await move(id, { status: 'decided', decision: 'upheld' })).toMatchObject({ status: 'decided' });
  });
});
