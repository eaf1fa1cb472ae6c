/** Cases: what joins them, their order, claims, decisions with what follows, and people who are erased meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes, type UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { caseRoutes, type DecideCaseRequest } from '../../src/contract/reports/cases.js';
import { reportSettingsRoutes, type UpdateReportSettingsRequest } from '../../src/contract/reports/report-settings.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { type CreateReportRequest, reportRoutes } from '../../src/contract/reports/reports.js';
import { colleaguePassword, colleague as invite } from '../support/console.js';
import { administrator, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('cases', (start) => {
  let daemon: TestDaemon;
  let second: EarshotClient;
  let reportsOnly: EarshotClient;
  let others: EarshotClient;
  let moderator: string;
  let now = new Date('2026-01-01T00:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now, settings: { EARSHOT_REPORTS_MINUTE: '0' } });
    second = await daemon.clientWith(['reports', 'sanctions']);
    reportsOnly = await daemon.clientWith(['reports']);
    others = await daemon.clientWith(['sanctions', 'plugins']);
    moderator = await invite(daemon, 'moderator');
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  const report = (body: Partial<CreateReportRequest> = {}) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'spam', ...body },
    });
  const caseOf = async (body: Partial<CreateReportRequest> = {}) => (await report(body)).caseId ?? '';
  const get = (id: string) => daemon.client.call(caseRoutes.get, item(id));
  const list = (query: object = {}) => daemon.client.call(caseRoutes.list, { params: params(), query });
  const decide = (id: string, body: DecideCaseRequest, client = daemon.client) =>
    client.call(caseRoutes.decide, { ...item(id), body });
  const noAction = { decision: 'no_action', reasonCode: 'no_violation' } as const;
  const mute = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'mute', duration: 600 } } as const;

  let count = 0;
  let person: string;
  beforeEach(() => {
    count += 1;
    person = `p${count}`;
    pass(7_200);
  });

  describe('what joins a case', () => {
    it('reports of all reporters about one person, with the heaviest category', async () => {
      const id = await caseOf({ reporterUserId: 'a' });
      pass(120);
      expect(await caseOf({ reporterUserId: 'b', category: 'threats' })).toBe(id);
      expect(await caseOf({ reporterUserId: 'b', externalUserId: 'another' })).not.toBe(id);
      const detail = await get(id);
      expect(detail).toMatchObject({
        category: 'threats',
        reports: 2,
        reporters: 2,
        reviews: 0,
        status: 'open',
        weight: 2,
      });
      pass(120);
      await caseOf({ reporterUserId: 'c', category: 'threats' });
      await caseOf({ reporterUserId: 'd' });
      const ofReporters = (await get(id)).reportList.map(({ reporterUserId }) => reporterUserId);
      expect(ofReporters, 'the heaviest and newest first').toEqual(['c', 'b', 'd', 'a']);
      expect(detail.why).toBe('threats (weight 8), 2 reports by 2 people counting 2.0, waiting 0 h of 24 h');
    });

    it('reviews that rules and moderators ask for, and appeals', async () => {
      const id = await caseOf();
      const { id: sanctionId } = await daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { type: 'human_review', externalUserId: person },
      });
      const { id: banId } = await daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { type: 'mute', externalUserId: person },
      });
      await daemon.client.call(reviewRoutes.appeal, { ...item(banId), body: { statement: 'Not me.' } });
      const { reviewList, reviews } = await get(id);
      expect([reviews, reviewList.map((one) => [one.kind, one.sanctionId])]).toEqual([
        2,
        [
          ['human_review', sanctionId],
          ['appeal', banId],
        ],
      ]);
    });

    it('a report about a room, where it names nobody', async () => {
      const id = await caseOf({ externalUserId: undefined, roomId: `room-${person}` });
      expect(await get(id)).toMatchObject({ roomId: `room-${person}`, externalUserId: null });
      await expect(decide(id, mute)).rejects.toMatchObject({ status: 409, code: 'case_without_person' });
    });
  });

  describe('the order of cases', () => {
    it('is by priority, and a cursor continues it', async () => {
      const before = (await list({ limit: 200 })).cases.map(({ id }) => id);
      const ids: string[] = [];
      for (const category of ['spam', 'minors_safety', 'cheating', 'threats']) {
        person = `${person}x`;
        ids.push(await caseOf({ category }));
      }
      const all = [];
      for (let after: string | undefined; ; ) {
        const page = await list({ limit: 2, ...(after === undefined ? {} : { after }) });
        all.push(...page.cases);
        if (page.next === null) break;
        after = page.next;
      }
      const priorities = all.map(({ priority }) => priority);
      expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
      expect(new Set(all.map(({ id }) => id))).toEqual(new Set([...before, ...ids]));
      const fresh = all.filter(({ id }) => ids.includes(id)).map(({ category }) => category);
      expect(fresh).toEqual(['minors_safety', 'threats', 'cheating', 'spam']);
    });

    it('counts a brigade less: many within a minute, or from one gathering', async () => {
      let id = '';
      for (const name of ['a', 'b', 'c', 'd', 'e']) id = await caseOf({ reporterUserId: `${person}${name}` });
      expect(await get(id)).toMatchObject({ reports: 5, brigaded: 5, weight: 4 }); // as four, who are none
      for (let more = 0; more < 12; more += 1) await caseOf({ reporterUserId: `${person}-more${more}` });
      expect(await get(id)).toMatchObject({ reports: 17, brigaded: 17, weight: 4.25 });
      expect((await get(id)).why).toContain('17 came together and count less');
      person = `${person}-other`;
      const { id: gathering } = await daemon.client.call(gatheringRoutes.create, {
        params: params(),
        body: { name: 'Raid' },
      });
      for (const name of ['f', 'g', 'h']) {
        const body = { externalUserId: `${person}${name}` };
        const { id: participantId } = await daemon.client.call(participantRoutes.create, { params: params(), body });
        await daemon.client.call(gatheringMemberRoutes.add, { ...item(gathering), body: { participantId } });
        pass(300);
        id = await caseOf({ reporterUserId: `${person}${name}` });
      }
      expect(await get(id)).toMatchObject({ reports: 3, brigaded: 3, weight: 2 });
    });

    it('takes five team mates of the reported person for no brigade', async () => {
      const { id: gathering } = await daemon.client.call(gatheringRoutes.create, {
        params: params(),
        body: { name: 'Team' },
      });
      const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${person}${name}`);
      for (const externalUserId of [person, ...names]) {
        const { id: participantId } = await daemon.client.call(participantRoutes.create, {
          params: params(),
          body: { externalUserId },
        });
        await daemon.client.call(gatheringMemberRoutes.add, { ...item(gathering), body: { participantId } });
      }
      let id = '';
      for (const reporterUserId of names) id = await caseOf({ reporterUserId });
      expect(await get(id)).toMatchObject({ reports: 5, brigaded: 0, weight: 5 });
    });

    it('is never made lighter by a further report', async () => {
      let weight = 0;
      for (let more = 0; more < 8; more += 1) {
        const found = await get(await caseOf({ reporterUserId: `${person}-${more}` }));
        expect(found.weight).toBeGreaterThanOrEqual(weight);
        weight = found.weight;
        if (more === 2) pass(20);
      }
    });
  });

  describe('claims', () => {
    it('are one moderator’s for half an hour', async () => {
      const id = await caseOf();
      expect(await daemon.client.call(caseRoutes.claim, item(id))).toMatchObject({ status: 'claimed' });
      const refused = second.call(caseRoutes.claim, item(id));
      await expect(refused).rejects.toMatchObject({ status: 409, code: 'case_claimed' });
      await expect(decide(id, noAction, second)).rejects.toMatchObject({ code: 'case_claimed' });
      pass(1_800);
      expect((await get(id)).status).toBe('open');
      expect(await second.call(caseRoutes.claim, item(id))).toMatchObject({ status: 'claimed' });
      expect(await second.call(caseRoutes.release, item(id))).toMatchObject({ status: 'open', claimedAt: null });
    });

    it('of two at once, one is refused', async () => {
      const id = await caseOf();
      const both = [daemon.client, second].map((client) => client.call(caseRoutes.claim, item(id)));
      const settled = await Promise.allSettled(both);
      expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });
  });

  describe('a decision', () => {
    it('imposes a sanction from a template, decides reports and reviews, and counts for the reporters', async () => {
      const templated = { params: { ...params(), name: 'threats' }, body: { reason: 'Threats.' } };
      await daemon.client.call(sanctionTemplateRoutes.set, templated);
      const { id: reportId, caseId } = await report({ reporterUserId: person + 1, category: 'threats' });
      const asked = { type: 'human_review', externalUserId: person } as const;
      await daemon.client.call(sanctionRoutes.create, { params: params(), body: asked });
      const sanction = { type: 'temp_ban', duration: 60, template: 'threats' } as const;
      const decided = await decide(caseId ?? '', { decision: 'sanction', reasonCode: 'violation', sanction });
      expect(decided).toMatchObject({ status: 'decided', decision: 'sanction', reasonCode: 'violation' });
      const imposed = await daemon.client.call(sanctionRoutes.get, item(decided.sanctionId ?? ''));
      expect(imposed).toMatchObject({ type: 'temp_ban', externalUserId: person, reason: 'Threats.', isActive: true });
      expect(imposed).toMatchObject({ createdByUserId: decided.decidedByUserId, source: 'report' });
      expect(await daemon.client.call(reportRoutes.get, item(reportId))).toMatchObject({
        ...{ status: 'decided', outcome: 'action_taken', decidedAt: now.toISOString() },
      });
      expect((await get(decided.id)).reviewList).toMatchObject([{ status: 'decided', decision: 'upheld' }]);
      const reporter = { params: { ...params(), externalUserId: person + 1 } };
      expect(await daemon.client.call(reporterRoutes.get, reporter)).toMatchObject({ decided: 1, upheld: 1 });
      expect(await caseOf()).not.toBe(decided.id);
    });

    it('counts once: the second of two at once learns who decided what', async () => {
      const id = await caseOf();
      const settled = await Promise.allSettled([decide(id, mute), decide(id, noAction, second)]);
      const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toMatchObject([{ status: 409, code: 'case_decided' }]);
      const { decision, decidedByUserId } = await get(id);
      expect(refused[0].details).toEqual(
        expect.arrayContaining([
          { path: 'decidedByUserId', message: decidedByUserId },
          { path: 'decision', message: decision },
        ]),
      );
      const active = { params: { ...params(), externalUserId: person } };
      const sanctions = await daemon.client.call(sanctionRoutes.ofUser, active);
      expect(sanctions).toHaveLength(decision === 'sanction' ? 1 : 0);
    });

    it('on a permanent ban needs a second moderator where the project asks for it', async () => {
      const set = (confirmPermanentBans: boolean) =>
        daemon.client.call(reportSettingsRoutes.update, { params: params(), body: { confirmPermanentBans } });
      const ban = { decision: 'sanction', reasonCode: 'violation', sanction: { type: 'perm_ban' } } as const;
      const logIn = async (email: string) => {
        const body = { email, password: colleaguePassword };
        const { accessToken: token } = await daemon.client.call(accountRoutes.loginCredentials, { body });
        return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
      };
      const [colleague, proposer] = [await logIn(moderator), await logIn(administrator.email)];
      await set(true);
      const id = await caseOf();
      expect(await decide(id, ban)).toMatchObject({ status: 'unconfirmed', decision: null, sanctionId: null });
      const confirm = (agree: boolean, client = colleague) =>
        client.call(caseRoutes.confirm, { ...item(id), body: { agree } });
      await expect(confirm(true, second)).rejects.toMatchObject({ status: 403, code: 'case_person_required' });
      await expect(decide(id, noAction, second)).rejects.toMatchObject({ code: 'case_unconfirmed' });
      expect(await confirm(false)).toMatchObject({ status: 'open', proposedByUserId: null });
      await expect(confirm(true)).rejects.toMatchObject({ code: 'case_not_proposed' });
      await decide(id, ban, proposer);
      await expect(confirm(true, proposer)).rejects.toMatchObject({ code: 'case_same_moderator' });
      const confirmed = await confirm(true);
      expect(confirmed).toMatchObject({ status: 'decided', decision: 'sanction' });
      await set(false);
      // Neither of both decides the appeal.
      const appealed = { ...item(confirmed.sanctionId ?? ''), body: { statement: 'Not me.' } };
      const { id: appealId } = await daemon.client.call(reviewRoutes.appeal, appealed);
      for (const client of [proposer, colleague])
        await expect(
          client.call(reviewRoutes.update, { ...item(appealId), body: { status: 'claimed' } }),
        ).rejects.toMatchObject({ code: 'appeal_own_sanction' });
    });

    it('shows what people wrote in reviews only to keys that may read reviews', async () => {
      const { id: sanctionId } = await daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { type: 'mute', externalUserId: person },
      });
      await daemon.client.call(reviewRoutes.appeal, { ...item(sanctionId), body: { statement: 'Not me.' } });
      const [one] = (await list({ externalUserId: person })).cases;
      const read = async (client: EarshotClient) =>
        (await client.call(caseRoutes.get, item(one?.id ?? ''))).reviewList.map(({ statement }) => statement);
      expect(await read(daemon.client)).toEqual(['Not me.']);
      expect(await read(reportsOnly)).toEqual([null]);
    });

    it('takes in the reviews of a batch, several of one person too', async () => {
      const items = Array.from({ length: 60 }, (_, index) => ({
        ...({ type: 'human_review', externalUserId: `${person}-${index % 50}` } as const),
      }));
      const applied = await daemon.client.call(sanctionBatchRoutes.apply, { params: params(), body: { items } });
      expect(applied.created).toBe(items.length);
      expect((await list({ externalUserId: `${person}-0` })).cases).toMatchObject([{ reviews: 2, status: 'open' }]);
      expect((await list({ externalUserId: `${person}-49` })).cases).toMatchObject([{ reviews: 1, status: 'open' }]);
    });

    it('waits for an appeal, which is decided by itself', async () => {
      const { id: sanctionId } = await daemon.client.call(sanctionRoutes.create, {
        params: params(),
        body: { type: 'mute', externalUserId: person },
      });
      const { id: reviewId } = await daemon.client.call(reviewRoutes.appeal, {
        ...item(sanctionId),
        body: { statement: 'Not me.' },
      });
      const [one] = (await list({ externalUserId: person })).cases;
      await expect(decide(one?.id ?? '', noAction)).rejects.toMatchObject({ code: 'case_appeal_undecided' });
      const { accessToken: token } = await daemon.client.call(accountRoutes.loginCredentials, { body: administrator });
      const somebody = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
      await somebody.call(reviewRoutes.update, { ...item(reviewId), body: { status: 'claimed' } });
      const body = { status: 'decided', decision: 'overturned', answer: 'It was not you.' } as const;
      await somebody.call(reviewRoutes.update, { ...item(reviewId), body });
      expect(await get(one?.id ?? '')).toMatchObject({ status: 'decided', decision: 'reviewed' });
    });

    it('needs the role that the case was escalated to, and the scope of sanctions', async () => {
      const id = await caseOf();
      await daemon.client.call(caseRoutes.escalate, { ...item(id), body: { role: 'owner' } });
      expect((await list({ escalatedTo: 'owner' })).cases.map((one) => one.id)).toEqual([id]);
      await expect(decide(id, noAction)).rejects.toMatchObject({ status: 403, code: 'insufficient_role' });
      await expect(decide(await caseOf({ externalUserId: 'other' }), mute, reportsOnly)).rejects.toMatchObject({
        code: 'insufficient_scope',
      });
      const { accessToken: token } = await daemon.client.call(accountRoutes.loginCredentials, { body: administrator });
      const owner = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
      expect(await decide(id, noAction, owner)).toMatchObject({ decision: 'no_action' });
    });
  });

  describe('manifestly unfounded reports', () => {
    it('lead to a warning, then to a suspension, which a moderator confirms and can lift', async () => {
      const reporter = person;
      const at = { params: { ...params(), externalUserId: reporter } };
      const unfounded = { decision: 'no_action', reasonCode: 'unfounded_reports' } as const;
      const lie = async (index: number) =>
        decide(await caseOf({ externalUserId: `${reporter}-${index}`, reporterUserId: reporter }), unfounded);
      for (const index of [1, 2]) await lie(index);
      expect(await daemon.client.call(reporterRoutes.get, at)).toMatchObject({ unfounded: 2, suspendedUntil: null });
      expect((await daemon.client.call(reporterRoutes.get, at)).warnedAt).not.toBeNull();
      for (const index of [3, 4]) await lie(index);
      const { proposedUntil } = await daemon.client.call(reporterRoutes.get, at);
      const suspend = { suspendedUntil: proposedUntil, decidedBy: 'person' } as const;
      await daemon.client.call(reporterRoutes.update, { ...at, body: suspend });
      await expect(lie(5)).rejects.toMatchObject({ status: 403, code: 'reporting_suspended' });
      await daemon.client.call(reporterRoutes.update, { ...at, body: { suspendedUntil: null } });
      expect((await report({ externalUserId: `${reporter}-5`, reporterUserId: reporter })).weight).toBeCloseTo(1 / 3);
    });
  });

  it('refuses more reports of one reporter than the limit, with Retry-After', async () => {
    const answers = [];
    for (let index = 0; index < 21; index += 1)
      answers.push(await report({ reporterUserId: person, externalUserId: 'x' }).catch((error: unknown) => error));
    expect(answers.at(-1)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(answers.slice(0, -1).every((one) => !(one instanceof Error))).toBe(true);
  });

  it('merges cases, and splits them again', async () => {
    const first = await report({ category: 'threats' });
    const blocking = { params: { ...params(), user: 'r' }, body: { blockedUserId: `${person}-alt` } };
    await daemon.client.call(blockRoutes.create, blocking);
    const other = await report({ externalUserId: `${person}-alt`, reporterUserId: 'r' });
    const [from, into] = [other.caseId ?? '', first.caseId ?? ''];
    const merged = await daemon.client.call(caseRoutes.merge, { ...item(from), body: { intoId: into } });
    expect(merged).toMatchObject({ id: into, reports: 2, weight: 2, category: 'threats' });
    expect(await get(from)).toMatchObject({ status: 'decided', decision: 'merged', mergedIntoId: into, reports: 0 });
    const split = (reportIds: string[]) => daemon.client.call(caseRoutes.split, { ...item(into), body: { reportIds } });
    await expect(split([])).rejects.toMatchObject({ status: 400, code: 'case_split_invalid' });
    await expect(split([first.id, other.id])).rejects.toMatchObject({ code: 'case_split_invalid' });
    const fresh = await split([other.id]);
    expect(fresh).toMatchObject({ reports: 1, category: 'spam', externalUserId: `${person}-alt`, blockers: 1 });
    expect(await get(into)).toMatchObject({ blockers: 0 });
    expect(await caseOf({ externalUserId: `${person}-alt`, reporterUserId: 's' })).toBe(fresh.id);
    expect((await get(into)).reportList.map(({ id }) => id)).toEqual([first.id]);
  });

  it('leaves an appeal of another person that was merged into it undecided', async () => {
    const { id: sanctionId } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: `${person}-alt` },
    });
    const body = { statement: 'Not me.' };
    await daemon.client.call(reviewRoutes.appeal, { ...item(sanctionId), body });
    const [from] = (await list({ externalUserId: `${person}-alt` })).cases;
    const into = await caseOf();
    await daemon.client.call(caseRoutes.merge, { ...item(from?.id ?? ''), body: { intoId: into } });
    expect(await decide(into, noAction)).toMatchObject({ status: 'decided', reviews: 0 });
    const [back] = (await list({ externalUserId: `${person}-alt` })).cases;
    expect(await get(back?.id ?? '')).toMatchObject({
      ...{ category: 'appeal', status: 'open', reviewList: [{ kind: 'appeal', status: 'open' }] },
    });
    await expect(decide(back?.id ?? '', noAction)).rejects.toMatchObject({ code: 'case_appeal_undecided' });
  });

  it('gives what is about others a case of their own when its person is erased', async () => {
    const alt = `${person}-alt`;
    const body = { type: 'human_review', externalUserId: alt } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    const [other, into] = [await report({ externalUserId: alt, reporterUserId: 'r' }), await caseOf()];
    await daemon.client.call(caseRoutes.merge, { ...item(other.caseId ?? ''), body: { intoId: into } });
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
    expect(await get(into)).toMatchObject({ status: 'decided', reasonCode: 'person_erased' });
    const [back] = (await list({ externalUserId: alt, status: 'open' })).cases;
    expect(await get(back?.id ?? '')).toMatchObject({
      ...{ externalUserId: alt, reports: 1, reviews: 1 },
      ...{ reportList: [{ id: other.id, status: 'open' }], reviewList: [{ status: 'open' }] },
    });
  });

  it('gives the reviews of another person back to them when it ends with a sanction', async () => {
    const alt = `${person}-alt`;
    const ask = async (externalUserId: string) => {
      const body = { type: 'human_review', externalUserId } as const;
      await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    };
    await ask(person);
    await ask(alt);
    const [from, into] = await Promise.all(
      [alt, person].map(async (externalUserId) => (await list({ externalUserId })).cases[0]?.id ?? ''),
    );
    await daemon.client.call(caseRoutes.merge, { ...item(from ?? ''), body: { intoId: into ?? '' } });
    await report();
    await report({ externalUserId: alt }).then(({ caseId }) =>
      daemon.client.call(caseRoutes.merge, { ...item(caseId ?? ''), body: { intoId: into ?? '' } }),
    );
    const { reportList, reviewList } = await get(into ?? '');
    const mixed = { reportIds: reportList.map(({ id }) => id), reviewIds: [] };
    await expect(daemon.client.call(caseRoutes.split, { ...item(into ?? ''), body: mixed })).rejects.toMatchObject({
      code: 'case_split_invalid',
    });
    await decide(into ?? '', mute);
    expect((await get(into ?? '')).reviewList).toMatchObject([{ externalUserId: person, decision: 'upheld' }]);
    const [back] = (await list({ externalUserId: alt })).cases;
    const [, ofAlt] = reviewList;
    expect((await get(back?.id ?? '')).reviewList).toMatchObject([{ id: ofAlt?.id, status: 'open', decision: null }]);
  });

  it('counts a brigade in its own case only, when an earlier one of the same minute is decided', async () => {
    const first = ['a', 'b', 'c'].map((name) => caseOf({ reporterUserId: person + name }));
    const [decided] = await Promise.all(first);
    await decide(decided ?? '', noAction);
    let id = '';
    for (const name of ['d', 'e']) id = await caseOf({ reporterUserId: person + name });
    expect(await get(id)).toMatchObject({ reports: 2, brigaded: 2, weight: 2 });
    expect(await get(decided ?? '')).toMatchObject({ reports: 3, brigaded: 0, weight: 3 });
  });

  it('keeps both of two changes of the settings at once', async () => {
    const change = (body: UpdateReportSettingsRequest) =>
      daemon.client.call(reportSettingsRoutes.update, { params: params(), body });
    const categories = [{ name: 'spam', weight: 3, goalHours: 24 }];
    for (let round = 0; round < 5; round += 1) {
      await change({ confirmPermanentBans: false, categories: null });
      await Promise.all([change({ confirmPermanentBans: true }), change({ categories })]);
      expect(await change({})).toMatchObject({ confirmPermanentBans: true, categories });
    }
    await change({ confirmPermanentBans: false, categories: null });
  });

  it('takes a report again while it is decided as part of it, or as a new one, never as an open one of the past', async () => {
    for (let round = 0; round < 8; round += 1) {
      const about = { externalUserId: `${person}-${round}`, reporterUserId: `${person}-r` };
      const first = await report(about);
      const [again] = await Promise.all([report({ ...about, words: 'Again.' }), decide(first.caseId ?? '', noAction)]);
      const stored = await daemon.client.call(reportRoutes.get, item(again.id));
      const { status } = await get(again.caseId ?? '');
      expect([stored.status, status].join()).toMatch(again.id === first.id ? 'decided,decided' : 'open,open');
    }
  });

  it('counts a review once, however often it is decided anew', async () => {
    await report();
    const asked = { type: 'human_review', externalUserId: person } as const;
    const { id: sanctionId } = await daemon.client.call(sanctionRoutes.create, { params: params(), body: asked });
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId } });
    const move = (body: UpdateReviewRequest) =>
      daemon.client.call(reviewRoutes.update, { ...item(reviews[0]?.id ?? ''), body });
    for (let time = 0; time < 3; time += 1) {
      await move({ status: 'claimed' });
      await move({ status: 'decided', decision: 'upheld' });
    }
    await move({ status: 'claimed' });
    expect((await list({ externalUserId: person })).cases).toMatchObject([{ reports: 1, reviews: 1 }]);
  });

  it('closes the case of somebody who is erased, and keeps what it was', async () => {
    const { id, caseId } = await report({ reporterUserId: 'witness', category: 'hate' });
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
    expect(await get(caseId ?? '')).toMatchObject({
      ...{ status: 'decided', decision: 'no_action', reasonCode: 'person_erased', externalUserId: null },
      ...{ category: 'hate', reports: 1, decidedByUserId: null },
    });
    expect(await daemon.client.call(reportRoutes.get, item(id))).toMatchObject({
      status: 'decided',
      externalUserId: null,
    });
    await expect(decide(caseId ?? '', mute)).rejects.toMatchObject({ code: 'case_decided' });
  });

  it('takes a report at the moment of an erasure, or not, and never keeps the person in it', async () => {
    const user = { params: { ...params(), user: person } };
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: person } });
    const erasing = daemon.client.call(personRoutes.erase, user);
    const reported = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => report({ reporterUserId: `w${index}`, category: 'hate' })),
    );
    await erasing;
    expect(reported.every(({ status }) => status === 'fulfilled')).toBe(true);
    await daemon.client.call(personRoutes.erase, user);
    expect((await list({ externalUserId: person })).cases).toEqual([]);
    const { total } = await daemon.client.call(reportRoutes.list, {
      params: params(),
      query: { externalUserId: person },
    });
    expect(total).toBe(0);
  });

  it('follows a person to another id, into the case that is open there', async () => {
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: person } });
    const moved = await caseOf();
    const there = await caseOf({ externalUserId: `${person}-new`, reporterUserId: 'r' });
    const move = { params: { ...params(), user: person }, body: { externalUserId: `${person}-new` } };
    await daemon.client.call(personMoveRoutes.move, move);
    expect(await get(moved)).toMatchObject({ status: 'decided', mergedIntoId: there });
    expect(await get(there)).toMatchObject({ reports: 2, externalUserId: `${person}-new` });
    expect(await caseOf({ externalUserId: `${person}-new`, reporterUserId: 's' })).toBe(there);
  });

  it('lets nobody but moderators read cases', async () => {
    await expect(others.call(caseRoutes.list, { params: params() })).rejects.toMatchObject({ status: 403 });
  });

  it('counts cases that missed their goal in the metrics, by category', async () => {
    await report({ category: 'cheating' });
    pass(25 * 3_600);
    await daemon.restart();
    const overdue = async () => {
      const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
      expect(metrics).toMatch(/^earshot_cases_overdue_total\{category="cheating",.*\} [1-9]/m);
    };
    await vi.waitFor(overdue, { timeout: 20_000, interval: 200 });
    expect((await list({ overdue: true, externalUserId: person })).cases).toHaveLength(1);
  });
});
