/** Whoever looks at a measure again is somebody else than who proposed, imposed or changed it, by login or by a key. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { roomModerationRoutes } from '../../src/contract/rooms/room-moderation.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';

describeDaemonsOnEachDatabase('the second pair of eyes', (start) => {
  let daemon: TestDaemon;
  /** An administrator of the project, and a key that they made. */
  let ana: EarshotClient;
  let anasKey: EarshotClient;
  let count = 0;
  let person: string;
  beforeAll(async () => {
    daemon = await start();
    ana = await signedInColleague(daemon, 'admin', 'ana');
    const { key } = await ana.call(apiKeyRoutes.create, {
      body: { name: 'bot', projectId: daemon.projectId, scopes: ['sanctions', 'reports', 'plugins'] },
    });
    anasKey = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    person = `u${count}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const impose = (client: EarshotClient) =>
    client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'temp_ban', externalUserId: person, duration: 600 },
    });
  const appealOf = async (id: string) =>
    (await daemon.client.call(reviewRoutes.appeal, { ...item(id), body: { statement: 'Not me.' } })).id;
  const claim = (id: string, client: EarshotClient) =>
    client.call(reviewRoutes.update, { ...item(id), body: { status: 'claimed' } });
  const own = { status: 403, code: 'appeal_own_sanction' };

  it('does not decide the appeal against what their key imposed', async () => {
    const appeal = await appealOf((await impose(anasKey)).id);
    await expect(claim(appeal, ana)).rejects.toMatchObject(own);
    expect(await claim(appeal, daemon.admin)).toMatchObject({ status: 'claimed' });
  });

  it.each(['login', 'key'] as const)('does not decide the appeal against what they changed by %s', async (by) => {
    const { id } = await impose(daemon.client);
    await (by === 'key' ? anasKey : ana).call(sanctionRoutes.update, { ...item(id), body: { duration: 6_000 } });
    await daemon.admin.call(sanctionRoutes.update, { ...item(id), body: { note: 'seen' } });
    const appeal = await appealOf(id);
    await expect(claim(appeal, ana)).rejects.toMatchObject(own);
    await expect(claim(appeal, daemon.admin)).rejects.toMatchObject(own);
    const other = await signedInColleague(daemon, 'moderator', person);
    expect(await claim(appeal, other)).toMatchObject({ status: 'claimed' });
  });

  it('does not decide the appeal against what they put back', async () => {
    const first = await impose(daemon.client);
    const { id: second } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'perm_ban', externalUserId: person, replaces: [first.id] },
    });
    const { restored } = await ana.call(sanctionRoutes.undo, { ...item(second), body: {} });
    expect(restored.map(({ id }) => id)).toEqual([first.id]);
    await expect(claim(await appealOf(first.id), ana)).rejects.toMatchObject(own);
  });

  /** The person is in a room, for which Ana has the link of a moderator. */
  const withLink = async (act: (link: EarshotClient, roomId: string) => Promise<void>) => {
    const roomId = `room-${person}`;
    const there = new Speaker(person);
    try {
      await there.join(
        answering(daemon.url, 'whip', roomId, await roomToken(daemon.client, daemon.projectId, roomId, person)),
      );
      const body = { roomId, userId: `ana-${person}`, permissions: { moderate: true } };
      const { token } = await ana.call(tokenRoutes.generateForProject, { params: params(), body });
      await act(new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } }), roomId);
    } finally {
      there.close();
    }
  };

  it('does not decide the appeal against what they imposed by a link to a room', () =>
    withLink(async (link, roomId) => {
      const muted = { params: { roomId }, body: { externalUserId: person, duration: 600 } };
      const { sanctionId } = await link.call(roomModerationRoutes.mute, muted);
      const appeal = await appealOf(sanctionId ?? '');
      await expect(claim(appeal, ana)).rejects.toMatchObject(own);
      expect(await claim(appeal, daemon.admin)).toMatchObject({ status: 'claimed' });
    }));

  it('does not confirm the ban that their key proposed', async () => {
    await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans: true } });
    const { caseId } = await daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'spam' },
    });
    const at = item(caseId ?? '');
    const body = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;
    expect(await anasKey.call(caseRoutes.decide, { ...at, body })).toMatchObject({ status: 'unconfirmed' });
    await expect(ana.call(caseRoutes.confirm, { ...at, body: { agree: true } })).rejects.toMatchObject({
      ...{ status: 409, code: 'case_same_moderator' },
    });
    const confirmed = await daemon.admin.call(caseRoutes.confirm, { ...at, body: { agree: true } });
    const appeal = await appealOf(confirmed.sanctionId ?? '');
    await expect(claim(appeal, ana)).rejects.toMatchObject(own);
    await expect(claim(appeal, daemon.admin)).rejects.toMatchObject(own);
  });

  describe('where the project wants one for long bans', () => {
    const day = 86_400;
    const refused = { status: 409, code: 'ban_needs_second_person' };
    beforeAll(async () => {
      const body = { confirmPermanentBans: true, confirmBansOver: day };
      await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body });
    });
    afterAll(async () => {
      const body = { confirmPermanentBans: false, confirmBansOver: null };
      await daemon.admin.call(reportSettingsRoutes.update, { params: params(), body });
    });
    const ban = (client: EarshotClient, duration: number | null) =>
      client.call(sanctionRoutes.create, {
        params: params(),
        body: {
          externalUserId: person,
          ...(duration === null ? { type: 'perm_ban' } : { type: 'temp_ban', duration }),
        },
      });

    it.each(['login', 'key'] as const)(
      'is needed for bans by %s that are permanent or longer, and for no others',
      async (by) => {
        const client = by === 'key' ? anasKey : ana;
        await expect(ban(client, null)).rejects.toMatchObject(refused);
        await expect(ban(client, day + 1)).rejects.toMatchObject(refused);
        const { id } = await ban(client, day);
        await expect(
          client.call(sanctionRoutes.update, { ...item(id), body: { duration: day + 1 } }),
        ).rejects.toMatchObject(refused);
        expect(await client.call(sanctionRoutes.update, { ...item(id), body: { duration: 60 } })).toMatchObject({
          duration: 60,
        });
        const mute = { type: 'mute', externalUserId: person } as const;
        expect(await client.call(sanctionRoutes.create, { params: params(), body: mute })).toMatchObject({
          endAt: null,
        });
      },
    );

    it('is needed for those in a file', async () => {
      const items = [{ type: 'perm_ban', externalUserId: person }] as const;
      const body = { items: [...items], firstLine: 1, dryRun: false };
      const applied = ana.call(sanctionBatchRoutes.apply, { params: params(), body });
      await expect(applied).rejects.toMatchObject({ code: 'sanction_batch_refused' });
    });

    const reported = async () => {
      const body = { externalUserId: person, category: 'spam' };
      return (await daemon.client.call(reportRoutes.create, { params: params(), body })).caseId ?? '';
    };
    const forGood = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;
    const propose = async (banMeanwhile?: number) => {
      const id = await reported();
      const sanction = { ...forGood.sanction, reason: 'threats' };
      const body = { ...forGood, sanction, note: 'read the lines', ...(banMeanwhile ? { banMeanwhile } : {}) };
      return ana.call(caseRoutes.decide, { ...item(id), body });
    };
    const answer = (id: string, agree: boolean) =>
      daemon.admin.call(caseRoutes.confirm, { ...item(id), body: { agree } });
    const bans = async () =>
      (
        await daemon.client.call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId: person } })
      ).toReversed();

    it('is needed for those by the link of a moderator, while a shorter one holds', () =>
      withLink(async (link, roomId) => {
        const { id } = await propose();
        const banned = (duration: number | null) =>
          link.call(roomModerationRoutes.ban, { params: { roomId }, body: { externalUserId: person, duration } });
        await expect(banned(null)).rejects.toMatchObject(refused);
        await expect(banned(day + 1)).rejects.toMatchObject(refused);
        const { sanctionId } = await banned(day);
        expect(await answer(id, false)).toMatchObject({ status: 'open' });
        // It was not imposed for the other one.
        expect(await ana.call(sanctionRoutes.get, item(sanctionId ?? ''))).toMatchObject({ isActive: true });
      }));

    it('sees what they confirm', async () => {
      const { id } = await propose();
      const { proposal } = await daemon.admin.call(caseRoutes.get, item(id));
      expect(proposal).toEqual({
        ...{ reasonCode: 'violation', note: 'read the lines' },
        sanction: { type: 'perm_ban', reason: 'threats' },
      });
      await answer(id, true);
      expect(await daemon.admin.call(caseRoutes.get, item(id))).toMatchObject({ proposal: null });
    });

    it('finds a ban in force that the same case imposed meanwhile, which a confirmation replaces', async () => {
      const { id, sanctionId } = await propose(day);
      const [held] = await bans();
      expect(held).toMatchObject({
        ...{ id: sanctionId, type: 'temp_ban', duration: day, isActive: true, reason: 'threats' },
        ...{ caseId: id, category: 'spam', source: 'report', decidedBy: 'person' },
      });
      await expect(claim(await appealOf(sanctionId ?? ''), ana)).rejects.toMatchObject(own);
    });

    it('replaces it with the ban that they confirm', async () => {
      const { id } = await propose(day);
      const confirmed = await answer(id, true);
      expect(await bans()).toMatchObject([
        { type: 'temp_ban', isActive: false, status: 'revoked' },
        { id: confirmed.sanctionId, type: 'perm_ban', isActive: true },
      ]);
    });

    it.each(['who confirms', 'who proposed it'])('ends it by turning the other down: %s', async (who) => {
      const { id } = await propose(day);
      const body = { agree: false };
      const turned = await (who === 'who confirms' ? daemon.admin : ana).call(caseRoutes.confirm, {
        ...item(id),
        body,
      });
      expect(turned).toMatchObject({ status: 'open', sanctionId: null, proposedByUserId: null });
      expect(await bans()).toMatchObject([{ type: 'temp_ban', isActive: false, status: 'revoked' }]);
    });

    it('is needed for one that would hold too long meanwhile', async () => {
      await expect(propose(day + 1)).rejects.toMatchObject(refused);
      expect(await bans()).toEqual([]);
      const mute = { type: 'mute', duration: 600 } as const;
      for (const body of [
        { decision: 'no_action', reasonCode: 'no_violation', banMeanwhile: day },
        { decision: 'sanction', reasonCode: 'violation', sanction: mute, banMeanwhile: day },
      ] as const)
        await expect(ana.call(caseRoutes.decide, { ...item(await reported()), body })).rejects.toMatchObject({
          code: 'validation_failed',
          details: [{ path: 'body.banMeanwhile', message: 'send it with a ban' }],
        });
    });

    it('is needed for those that a case decides, while a shorter one holds', async () => {
      const caseId = await reported();
      const { id: held } = await ban(ana, day);
      const sanction = { type: 'temp_ban', duration: 30 * day } as const;
      const body = { decision: 'sanction', reasonCode: 'violation', sanction } as const;
      const proposed = await ana.call(caseRoutes.decide, { ...item(caseId), body });
      expect(proposed).toMatchObject({ status: 'unconfirmed', sanctionId: null });
      expect(await ana.call(sanctionRoutes.get, item(held))).toMatchObject({ isActive: true });
      const confirmed = await answer(caseId, true);
      expect(await ana.call(sanctionRoutes.get, item(confirmed.sanctionId ?? ''))).toMatchObject({
        ...{ type: 'temp_ban', duration: 30 * day, isActive: true },
      });
    });
  });
});
