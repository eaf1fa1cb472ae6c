/** Orders of authorities and notices from outside: stored once, in the case of their person, and answered. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { type CreateOrderRequest, orderRoutes } from '../../src/contract/reports/orders.js';
import { type Report, reportRoutes } from '../../src/contract/reports/reports.js';
import { commandLine } from '../support/cli.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('orders and notices', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-01-01T00:00:00.000Z');
  const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
  beforeAll(async () => {
    daemon = await start({ now: () => now });
  });
  afterAll(async () => {
    cli.dispose();
    await daemon.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  let count = 0;
  let person: string;
  beforeEach(() => {
    count += 1;
    person = `p${count}`;
    now = new Date(now.getTime() + 7_200_000);
  });

  const order = (fields: Partial<CreateOrderRequest> = {}) =>
    daemon.client.call(orderRoutes.create, {
      params: params(),
      body: {
        ...({ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: `${person}/26` } as const),
        ...{ category: 'hate', legalGround: '§ 130 StGB', externalUserId: person, ...fields },
      },
    });
  const report = (category: string, more: object = {}) =>
    daemon.client.call(reportRoutes.create, { params: params(), body: { externalUserId: person, category, ...more } });
  const caseOf = ({ caseId }: { caseId: string | null }) => daemon.client.call(caseRoutes.get, item(caseId ?? ''));
  const decide = (id: string | null, body: object) =>
    daemon.client.call(caseRoutes.decide, { ...item(id ?? ''), body: body as never });

  it('join the case of their person, come first, and say so', async () => {
    const { caseId } = await report('spam');
    const made = await order({ dueAt: '2026-01-01T08:00:00+00:00' });
    expect(made).toMatchObject({ caseId, status: 'open', receivedAt: now.toISOString(), receiptConfirmedAt: null });
    const shown = await caseOf(made);
    expect(shown).toMatchObject({ orders: 1, reports: 1, category: 'hate', dueAt: '2026-01-01T08:00:00.000Z' });
    expect(shown.why).toContain('1 order of an authority (+48)');
    expect(shown.orderList).toMatchObject([{ id: made.id, reference: `${person}/26` }]);
    person = `${person}-other`;
    const urgent = await report('minors_safety');
    const { cases } = await daemon.client.call(caseRoutes.list, { params: params(), query: {} });
    const ids = cases.map(({ id }) => id);
    expect(ids.indexOf(caseId ?? '')).toBeLessThan(ids.indexOf(urgent.caseId ?? ''));
  });

  it('are stored once by authority and reference, also of two at once', async () => {
    const made = await Promise.all([order(), order(), order({ kind: 'give_information' })]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(2);
    expect(await caseOf(made[0])).toMatchObject({ orders: 2 });
  });

  it('to act take effect with the sanction of the case; those to give information are answered by themselves', async () => {
    const act = await order();
    const tell = await order({ kind: 'give_information' });
    const sanction = { type: 'mute', duration: 60 };
    const decided = await decide(act.caseId, { decision: 'sanction', reasonCode: 'illegal_content', sanction });
    const imposed = await daemon.client.call(sanctionRoutes.get, item(decided.sanctionId ?? ''));
    expect(imposed.source).toBe('order');
    const read = (id: string) => daemon.client.call(orderRoutes.get, item(id));
    expect(await read(act.id)).toMatchObject({ outcome: 'effect_given', decidedAt: now.toISOString() });
    const left = await read(tell.id);
    expect(left).toMatchObject({ status: 'open' });
    expect(left.caseId).not.toBe(act.caseId);
    const update = (body: object) => daemon.client.call(orderRoutes.update, { ...item(tell.id), body });
    await update({ receiptConfirmedAt: '2026-01-02T00:00:00Z' });
    expect(await update({ outcome: 'information_given' })).toMatchObject({ status: 'decided' });
    expect(await caseOf(left)).toMatchObject({ status: 'decided', decision: 'reviewed' });
    await expect(update({ outcome: 'no_effect' })).rejects.toMatchObject({ status: 409, code: 'order_decided' });
  });

  it('to act lead to the sanction, however many others the case has', async () => {
    for (let index = 0; index <= 100; index += 1)
      await order({ kind: 'give_information', reference: `${person}/${index}` });
    const { caseId } = await order();
    const sanction = { type: 'mute', duration: 60 };
    const decided = await decide(caseId, { decision: 'sanction', reasonCode: 'illegal_content', sanction });
    const imposed = await daemon.client.call(sanctionRoutes.get, item(decided.sanctionId ?? ''));
    expect(imposed.source).toBe('order');
  });

  it('lose the name of an erased person, and end', async () => {
    const { id } = await order();
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: person } });
    expect(await daemon.client.call(orderRoutes.get, item(id))).toMatchObject({
      ...{ externalUserId: null, status: 'decided', outcome: 'no_effect', authority: 'Amtsgericht Bonn' },
    });
  });

  it('notices that come twice at the same time are one, without a repeat', async () => {
    const notice = { from: 'Meldestelle', reference: `${person} at once` };
    const send = () =>
      daemon.client.call(reportRoutes.create, {
        params: params(),
        body: { externalUserId: person, category: 'threats', words: 'A letter.', notice },
      });
    const all = await Promise.all([send(), send(), send()]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    for (const one of [...all, await send()]) expect(one).toMatchObject({ repeats: 0, words: 'A letter.' });
  });

  it('notices are imported once by origin and reference, and one of a trusted flagger counts twice', async () => {
    const line = (reference: string, trustedFlagger: boolean) =>
      JSON.stringify({
        ...{ externalUserId: person, category: 'threats', words: 'A letter.' },
        notice: { from: 'Meldestelle', reference, trustedFlagger, receivedAt: '2025-12-31T12:00:00Z' },
      });
    const file = [line('1', true), line('2', false), line('1', true), '{"category":"spam"}'].join('\n');
    const first = await cli.run(['reports', 'import', '-'], { input: file });
    expect([first.code, first.stderr]).toEqual([2, expect.stringContaining('3 notices, in 1 cases')]);
    const { reports } = await daemon.client.call(reportRoutes.list, {
      params: params(),
      query: { externalUserId: person },
    });
    expect(reports).toMatchObject([
      { noticeReference: '2', weight: 1, trustedFlagger: false },
      { source: 'notice', noticeFrom: 'Meldestelle', noticeReference: '1', weight: 2, trustedFlagger: true },
    ]);
    expect(reports[1]?.receivedAt).toBe('2025-12-31T12:00:00.000Z');
    const shown = await caseOf(reports[0] as Report);
    expect(shown).toMatchObject({ reports: 2, trusted: 1, weight: 3 });
    expect(shown.why).toContain('1 by a trusted flagger (+12)');
  });
});
