/** What survives when cases are moved, merged, split and answered: decisions that wait, roles, notes, claims, deadlines. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { reportSettingsRoutes } from '../../src/contract/reports/report-settings.js';
import { type CreateReportRequest, reportRoutes } from '../../src/contract/reports/reports.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { colleaguePassword, colleague as invite } from '../support/console.js';
import { administrator, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const hourMs = 3_600_000;
const ban = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;

describeDaemonsOnEachDatabase('cases that are joined and answered', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  let owner: EarshotClient;
  let colleague: EarshotClient;
  let moderator: string;
  const logIn = async (body: { email: string; password: string }) => {
    const { accessToken: token } = await daemon.client.call(accountRoutes.loginCredentials, { body });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  beforeAll(async () => {
    daemon = await start({ now: () => now, settings: { EARSHOT_REPORTS_MINUTE: '0' } });
    moderator = await invite(daemon, 'moderator');
    await daemon.client.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans: true } });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const pass = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };
  const after = (from: Date, hours: number) => new Date(from.getTime() + hours * hourMs).toISOString();
  const report = (body: Partial<CreateReportRequest> = {}) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'spam', ...body },
    });
  const caseOf = async (body: Partial<CreateReportRequest> = {}) => (await report(body)).caseId ?? '';
  const get = (id: string) => daemon.client.call(caseRoutes.get, item(id));
  const undecided = async (externalUserId = person) => {
    const { cases } = await daemon.client.call(caseRoutes.list, { params: params(), query: { externalUserId } });
    expect(cases).toHaveLength(1);
    return cases[0]?.id ?? '';
  };
  const propose = (id: string, client = daemon.client) => client.call(caseRoutes.decide, { ...item(id), body: ban });
  const confirm = (id: string, agree: boolean, client = colleague) =>
    client.call(caseRoutes.confirm, { ...item(id), body: { agree } });
  const escalate = (id: string, role: 'admin' | 'owner', client = daemon.client) =>
    client.call(caseRoutes.escalate, { ...item(id), body: { role, note: `for ${role}` } });
  const merge = (id: string, intoId: string, client = daemon.client) =>
    client.call(caseRoutes.merge, { ...item(id), body: { intoId } });
  const split = (id: string, reportIds: string[]) => owner.call(caseRoutes.split, { ...item(id), body: { reportIds } });
  const move = async (externalUserId: string) => {
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: person } });
    await daemon.client.call(personMoveRoutes.move, {
      params: { ...params(), user: person },
      body: { externalUserId },
    });
  };
  const askReview = async () => {
    const body = { type: 'human_review', externalUserId: person } as const;
    const { id: sanctionId } = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId } });
    return reviews[0]?.id ?? '';
  };
  const uphold = async (id: string) => {
    const update = (body: object) => colleague.call(reviewRoutes.update, { ...item(id), body: body as never });
    await update({ status: 'claimed' });
    await update({ status: 'decided', decision: 'upheld' });
  };
  const banned = async (externalUserId = person) => {
    const found = await daemon.client.call(sanctionRoutes.ofUser, { params: { ...params(), externalUserId } });
    return found.some(({ type }) => type === 'perm_ban');
  };

  let count = 0;
  let person: string;
  beforeEach(async () => {
    count += 1;
    person = `p${count}`;
    pass(2 * hourMs);
    owner = await logIn(administrator);
    colleague = await logIn({ email: moderator, password: colleaguePassword });
  });

  describe('a permanent ban that waits for a second moderator', () => {
    it('goes on waiting when the last review of its case is decided', async () => {
      const review = await askReview();
      const id = await undecided();
      await propose(id);
      await uphold(review);
      expect(await get(id)).toMatchObject({ status: 'unconfirmed', decision: null });
      expect(await confirm(id, true)).toMatchObject({ status: 'decided', decision: 'sanction' });
      expect(await banned()).toBe(true);
    });

    it('goes on waiting when the rule is undone that asked for the review', async () => {
      const definition = {
        when: { all: [{ words: { any: ['newt'] } }] },
        ...{ steps: [[{ review: { statement: '' } }]], mode: 'enforce' },
      };
      const { id: ruleId } = await daemon.client.call(ruleRoutes.create, {
        params: params(),
        body: { name: `newts of ${person}`, definition: definition as never, sanctionsPerHourMax: 100 },
      });
      const since = now.toISOString();
      pass(1_000);
      const { id: sessionId } = await daemon.client.call(sessionRoutes.create, {
        params: params(),
        body: { title: person, externalRoomId: person, autoStart: false },
      });
      const body = { content: 'a newt', externalUserId: person };
      await daemon.client.call(sessionRoutes.say, { ...item(sessionId), body });
      const id = await eventually(() => undecided());
      await propose(id);
      pass(1_000);
      const undone = await daemon.client.call(ruleRoutes.undo, { ...item(ruleId), body: { since } });
      expect(undone).toMatchObject({ reviews: 1 });
      expect(await get(id)).toMatchObject({ status: 'unconfirmed', decision: null });
      await daemon.client.call(ruleRoutes.remove, item(ruleId));
    });

    it('goes on waiting when the order of its case is answered alone', async () => {
      const { id: orderId, caseId } = await daemon.client.call(orderRoutes.create, {
        params: params(),
        body: {
          ...({ kind: 'give_information', authority: 'Court', memberState: 'DE', reference: person } as const),
          ...{ category: 'hate', legalGround: 'law', externalUserId: person },
        },
      });
      const id = caseId ?? '';
      await propose(id);
      await daemon.client.call(orderRoutes.update, { ...item(orderId), body: { outcome: 'information_given' } });
      expect(await get(id)).toMatchObject({ status: 'unconfirmed', decision: null });
    });

    it('moves with its person into the case that is open there', async () => {
      const from = await caseOf();
      const there = await caseOf({ externalUserId: `${person}-new`, reporterUserId: 'r' });
      const { proposedByUserId } = await propose(from);
      await move(`${person}-new`);
      expect(await get(there)).toMatchObject({ status: 'unconfirmed', proposedByUserId });
      expect(await get(from)).toMatchObject({ decision: 'merged', proposedByUserId: null });
      await confirm(there, true);
      expect(await banned(`${person}-new`)).toBe(true);
    });

    it('stays where a case without one moves in', async () => {
      const from = await caseOf();
      const there = await caseOf({ externalUserId: `${person}-new`, reporterUserId: 'r' });
      await propose(there);
      await move(`${person}-new`);
      expect(await get(from)).toMatchObject({ decision: 'merged' });
      expect(await get(there)).toMatchObject({ status: 'unconfirmed', reports: 2 });
    });

    it('ends with the erasure of its person, which says so', async () => {
      const id = await caseOf();
      await propose(id);
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
      expect(await get(id)).toMatchObject({
        ...{ status: 'decided', decision: 'no_action', reasonCode: 'person_erased', proposedByUserId: null },
      });
    });

    it('can be withdrawn by whoever proposed it, a key too, and by nobody else with a key', async () => {
      const id = await caseOf();
      await propose(id, owner);
      const key = confirm(id, false, daemon.client);
      await expect(key).rejects.toMatchObject({ status: 403, code: 'case_person_required' });
      expect(await confirm(id, false, owner)).toMatchObject({ status: 'open', proposedByUserId: null });
      await propose(id);
      expect(await confirm(id, false, daemon.client)).toMatchObject({ status: 'open' });
      await expect(confirm(id, true)).rejects.toMatchObject({ code: 'case_not_proposed' });
      expect(await banned()).toBe(false);
    });

    it('leaves a decided case behind when it is turned down and all else in it was answered meanwhile', async () => {
      const review = await askReview();
      const id = await undecided();
      await propose(id);
      await uphold(review);
      expect(await confirm(id, false)).toMatchObject({ status: 'decided', decision: 'reviewed' });
      expect(await caseOf()).not.toBe(id);
    });
  });

  describe('a decision about one of several people whose cases were merged', () => {
    it.each(['sanction', 'no_action'] as const)('is about that one alone: %s', async (decision) => {
      const alt = `${person}-alt`;
      const into = await report({ reporterUserId: `${person}-one` });
      const other = await report({ externalUserId: alt, reporterUserId: `${person}-two`, category: 'hate' });
      const order = await daemon.client.call(orderRoutes.create, {
        params: params(),
        body: {
          ...({ kind: 'act', authority: 'Court', memberState: 'DE', reference: alt } as const),
          ...{ category: 'hate', legalGround: 'law', externalUserId: alt },
        },
      });
      await merge(other.caseId ?? '', into.caseId ?? '');
      const body =
        decision === 'sanction'
          ? ({ decision, reasonCode: 'violation', sanction: { type: 'mute', duration: 600 } } as const)
          : ({ decision, reasonCode: 'no_violation' } as const);
      const decided = await daemon.client.call(caseRoutes.decide, { ...item(into.caseId ?? ''), body });
      expect(decided).toMatchObject({ status: 'decided', reports: 1, orders: 0, category: 'spam' });
      const stateOf = async (id: string) => (await daemon.client.call(reportRoutes.get, item(id))).status;
      expect([await stateOf(into.id), await stateOf(other.id)]).toEqual(['decided', 'open']);
      expect(await daemon.client.call(orderRoutes.get, item(order.id))).toMatchObject({ status: 'open' });
      const left = await undecided(alt);
      expect(await get(left)).toMatchObject({ reports: 1, orders: 1, category: 'hate', externalUserId: alt });
      const sanctions = await daemon.client.call(sanctionRoutes.ofUser, {
        params: { ...params(), externalUserId: alt },
      });
      expect(sanctions).toEqual([]);
    });
  });

  describe('the role that a case was escalated to', () => {
    it('survives a move of its person, with the note and the claim', async () => {
      const from = await caseOf();
      await escalate(from, 'owner');
      const { claimedByUserId } = await owner.call(caseRoutes.claim, item(from));
      const there = await caseOf({ externalUserId: `${person}-new`, reporterUserId: 'r' });
      await escalate(there, 'admin');
      await move(`${person}-new`);
      expect(await get(there)).toMatchObject({
        ...{ escalatedTo: 'owner', status: 'claimed', claimedByUserId, note: 'for admin\nfor owner' },
      });
    });

    it('survives a merge, whichever of both has it, and both cases of a split have it', async () => {
      const into = await report();
      const other = await report({ externalUserId: `${person}-alt` });
      await escalate(other.caseId ?? '', 'owner');
      const merged = await merge(other.caseId ?? '', into.caseId ?? '', owner);
      expect(merged).toMatchObject({ escalatedTo: 'owner', reports: 2 });
      const fresh = await split(merged.id, [other.id]);
      expect(fresh).toMatchObject({ escalatedTo: 'owner', externalUserId: `${person}-alt` });
      expect(await get(merged.id)).toMatchObject({ escalatedTo: 'owner' });
      const third = await caseOf({ externalUserId: `${person}-third` });
      expect(await merge(third, merged.id, owner)).toMatchObject({ escalatedTo: 'owner' });
    });

    it('survives the erasure of the person for what is about others', async () => {
      const into = await caseOf();
      const other = await caseOf({ externalUserId: `${person}-alt` });
      await merge(other, into);
      await escalate(into, 'owner');
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
      expect(await get(await undecided(`${person}-alt`))).toMatchObject({ escalatedTo: 'owner' });
    });

    it('survives a decision for what it left undecided', async () => {
      const { caseId } = await daemon.client.call(orderRoutes.create, {
        params: params(),
        body: {
          ...({ kind: 'give_information', authority: 'Court', memberState: 'DE', reference: person } as const),
          ...{ category: 'hate', legalGround: 'law', externalUserId: person },
        },
      });
      await escalate(caseId ?? '', 'owner');
      const body = { decision: 'no_action', reasonCode: 'no_violation' } as const;
      await owner.call(caseRoutes.decide, { ...item(caseId ?? ''), body });
      expect(await get(await undecided())).toMatchObject({ escalatedTo: 'owner', orders: 1 });
    });
  });

  describe('the category and deadline of a case', () => {
    const categories = [
      { name: 'slow', weight: 2, goalHours: 72 },
      { name: 'urgent', weight: 8, goalHours: 4 },
    ];
    beforeAll(() => daemon.client.call(reportSettingsRoutes.update, { params: params(), body: { categories } }));

    it('are of what each holds after a split, also where the deadline becomes later again', async () => {
      const slowAt = now;
      const slow = await report({ category: 'slow' });
      pass(2 * hourMs);
      const urgentAt = now;
      owner = await logIn(administrator);
      const urgent = await report({ externalUserId: `${person}-alt`, category: 'urgent' });
      const merged = await merge(urgent.caseId ?? '', slow.caseId ?? '');
      expect(merged).toMatchObject({ category: 'urgent', dueAt: after(urgentAt, 4) });
      const fresh = await split(merged.id, [urgent.id]);
      expect(fresh).toMatchObject({ category: 'urgent', dueAt: after(urgentAt, 4), missedAt: null });
      expect(await get(merged.id)).toMatchObject({ category: 'slow', dueAt: after(slowAt, 72) });
    });

    it('are those of a review where only reviews are left', async () => {
      const urgent = await report({ externalUserId: `${person}-alt`, category: 'urgent' });
      await askReview();
      const askedAt = now;
      const id = await undecided();
      await merge(urgent.caseId ?? '', id);
      await split(id, [urgent.id]);
      expect(await get(id)).toMatchObject({ category: 'review', reports: 0, dueAt: after(askedAt, 24) });
    });

    it('are about minors where a hidden measure against a minor is in it, after a merge and a split too', async () => {
      const minor = `${person}-minor`;
      await daemon.client.call(participantRoutes.create, {
        params: params(),
        body: { externalUserId: minor, minor: true },
      });
      const body = { type: 'shadow_mute', externalUserId: minor, duration: 600 } as const;
      await daemon.client.call(sanctionRoutes.create, { params: params(), body });
      const from = await undecided(minor);
      expect(await get(from)).toMatchObject({ category: 'minors_safety' });
      const into = await report({ category: 'urgent' });
      expect(await merge(from, into.caseId ?? '')).toMatchObject({ category: 'minors_safety', reviews: 1 });
      const fresh = await split(into.caseId ?? '', [into.id]);
      expect(fresh).toMatchObject({ category: 'urgent' });
      expect(await get(into.caseId ?? '')).toMatchObject({ category: 'minors_safety' });
    });

    it('are announced as missed once, also after a merge, and not any more where a split makes them later', async () => {
      const urgent = await report({ externalUserId: `${person}-alt`, category: 'urgent' });
      pass(5 * hourMs);
      await daemon.restart();
      await eventually(async () => expect((await get(urgent.caseId ?? '')).missedAt).not.toBeNull());
      const into = await caseOf({ category: 'slow' });
      const { missedAt } = await get(urgent.caseId ?? '');
      expect(await merge(urgent.caseId ?? '', into)).toMatchObject({ missedAt });
      owner = await logIn(administrator);
      expect(await split(into, [urgent.id])).toMatchObject({ missedAt });
      expect(await get(into)).toMatchObject({ missedAt: null });
    });
  });
});
