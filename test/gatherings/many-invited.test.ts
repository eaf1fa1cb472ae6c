/** Gatherings to which more people are invited than one answer holds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  gatheringInvitationRoutes,
  type InvitationStatus,
} from '../../src/contract/gatherings/gathering-invitations.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { someAtOnce } from '../support/some-at-once.js';
import { type Gatherings, gatheringsOf } from './support.js';

const shownMax = 1_000;
const invitedAtOnce = 100;

describeDaemonsOnEachDatabase('a gathering with as many invitations as it may have', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T12:00:00.000Z');
  let g: Gatherings;
  let ids: string[];
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    g = gatheringsOf(daemon);
    ids = await someAtOnce(shownMax, async (index) => (await g.person(`guest ${index}`)).id, 20);
  }, 120_000);
  afterAll(() => daemon.stop());

  const inviteAll = async (id: string, people: readonly string[], expiresAt?: string) => {
    for (let from = 0; from < people.length; from += invitedAtOnce)
      await g.invite(id, people.slice(from, from + invitedAtOnce), expiresAt);
  };

  it('shows its owner and everybody with a seat first, and heeds what restricts them', async () => {
    const { id, joinCode } = await g.create({ maxMembers: 3 });
    await inviteAll(id, ids);
    const [ann, bob] = [await g.person('ann'), await g.person('bob')];
    await g.join(joinCode, ann.id);
    now = new Date(now.getTime() + 1);
    await g.join(joinCode, bob.id);
    const members = await g.members(id);
    expect(members).toHaveLength(shownMax);
    expect(members.slice(0, 3)).toMatchObject([
      { participantId: ann.id, role: 'owner', status: 'joined' },
      { participantId: bob.id, role: 'member', status: 'joined' },
      { status: 'invited' },
    ]);
    expect((await g.members(id, 'joined')).map(({ participantId }) => participantId)).toEqual([ann.id, bob.id]);
    expect(await g.members(id, 'ready')).toEqual([]);
    expect((await g.get(id)).members?.[0]).toMatchObject({ participantId: ann.id });
    await daemon.client.call(sanctionRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { type: 'party_restriction', externalUserId: 'bob', parameters: { maxGatheringSize: 3 } },
    });
    await expect(g.update(id, { maxMembers: 4 })).rejects.toMatchObject({ code: 'party_restricted' });
  });

  it('finds an open invitation behind as many that have expired', async () => {
    const { id } = await g.create();
    const list = (status: InvitationStatus) =>
      daemon.client.call(gatheringInvitationRoutes.list, {
        params: { projectId: daemon.projectId, id },
        query: { status },
      });
    const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
    const [first = '', ...others] = ids;
    await inviteAll(id, [first], at(600_000));
    await inviteAll(id, others, at(60_000));
    now = new Date(now.getTime() + 120_000);
    const last = await g.person('cid');
    await g.invite(id, [last.id], at(600_000));
    expect((await list('pending')).map(({ participantId }) => participantId)).toEqual([last.id, first]);
    expect(await list('declined')).toHaveLength(others.length);
    expect(await list('accepted')).toEqual([]);
  });
});
