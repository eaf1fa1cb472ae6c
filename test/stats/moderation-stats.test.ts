/** Figures of moderation: what is counted, that it is counted once, and that it stays. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionTemplateRoutes } from '../../src/contract/moderation/sanction-templates.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { projectDayRoutes } from '../../src/contract/stats/project-day.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { writeBeside } from '../support/write-beside.js';

describeDaemonsOnEachDatabase('a day by the hour', (start) => {
  it('has the hours from the given one on, and those of a week before, and what is to come is 0', async () => {
    let now = new Date('2026-03-01T23:30:00.000Z');
    const daemon = await start({ now: () => now, settings: { EARSHOT_EVENT_RETENTION_DAYS: '3650' } });
    const params = { projectId: daemon.projectId };
    const mute = () =>
      daemon.client.call(sanctionRoutes.create, { params, body: { type: 'mute', externalUserId: 'bad' } });
    await mute();
    now = new Date('2026-03-08T23:10:00.000Z');
    await mute();
    await mute();
    now = new Date('2026-03-09T02:10:00.000Z');
    await daemon.client.call(reportRoutes.create, {
      params,
      body: { reporterUserId: 'r', externalUserId: 'bad', category: 'spam' },
    });
    const nothing = { reports: 0, sanctions: 0, reportsBefore: 0, sanctionsBefore: 0 };
    const day = (since?: string) => daemon.client.call(projectDayRoutes.get, { params, query: { since } });
    const { hours, countedAt } = await day('2026-03-08T18:45:00.000Z');
    expect(countedAt).toBe(now.toISOString());
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({ at: '2026-03-08T18:00:00.000Z', ...nothing });
    expect(hours[5]).toEqual({ at: '2026-03-08T23:00:00.000Z', ...nothing, sanctions: 2, sanctionsBefore: 1 });
    expect(hours[8]).toEqual({ at: '2026-03-09T02:00:00.000Z', ...nothing, reports: 1 });
    expect(hours[9]).toEqual({ at: '2026-03-09T03:00:00.000Z', ...nothing });
    expect((await day()).hours[0]?.at).toBe('2026-03-09T00:00:00.000Z');
    await daemon.stop();
  });
});

describeDaemonsOnEachDatabase('figures of moderation', (start) => {
  let daemon: TestDaemon;
  let now = new Date('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    // The log is whole, whatever the clock says.
    daemon = await start({ now: () => now, settings: { EARSHOT_EVENT_RETENTION_DAYS: '3650' } });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  const stats = (query: { since?: string; until?: string } = {}) =>
    daemon.client.call(moderationStatsRoutes.get, { params: params(), query });
  const rebuild = () => daemon.client.call(moderationStatsRoutes.rebuild, { params: params() });
  const sanction = (externalUserId: string, more: { template?: string; source?: 'report' } = {}) =>
    daemon.client.call(sanctionRoutes.create, { params: params(), body: { type: 'mute', externalUserId, ...more } });
  const report = (externalUserId: string, category: string) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { reporterUserId: `by-${category}`, externalUserId, category, roomId: 'arena' },
    });
  const review = (id: string, body: object) => daemon.client.call(reviewRoutes.update, { ...item(id), body });

  it('counts reports, sanctions and reviews once each', async () => {
    await daemon.client.call(sanctionTemplateRoutes.set, {
      params: { ...params(), name: 'rude' },
      body: { reason: 'Rude words' },
    });
    await report('bad', 'threats');
    await report('bad', 'spam');
    pass(3_600);
    await sanction('bad', { template: 'rude' });
    await sanction('worse', { source: 'report' });
    const { id } = await daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'human_review', externalUserId: 'bad' },
    });
    const open = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId: id } });
    const [{ id: reviewId } = { id: '' }] = open.reviews;
    pass(600);
    await review(reviewId, { status: 'claimed' });
    await review(reviewId, { status: 'decided', decision: 'overturned' });
    const found = await stats();
    expect(found.reports).toMatchObject({
      total: 2,
      byCategory: [
        { category: 'spam', reports: 1 },
        { category: 'threats', reports: 1 },
      ],
      bySource: [{ source: 'operator', reports: 2 }],
    });
    expect(found.sanctions).toMatchObject({ total: 2, revoked: 1 });
    expect(found.sanctions.byKind).toContainEqual(
      expect.objectContaining({ type: 'mute', source: 'report', sanctions: 1 }),
    );
    expect(found.templates).toEqual([
      { name: 'rude', sanctions: 1, reviewed: 0, overturned: 0, overturnedShare: null },
    ]);
    const reviews = found.decisions.find(({ kind }) => kind === 'human_review');
    expect(reviews?.decided).toBe(1);
    // Ten minutes, within 5 %.
    expect(reviews?.medianSeconds).toBeGreaterThan(570);
    expect(reviews?.medianSeconds).toBeLessThan(630);
    expect(found.moderators).toHaveLength(1);
    expect(found.moderators[0]).toMatchObject({
      ...{ sanctions: 2, reviewed: 1, overturned: 1, overturnedShare: 1, agreement: 0 },
      ...{ decided: 1, hours: 1, decidedPerHour: 1 },
    });
    expect(found.mostReported).toEqual([{ externalUserId: 'bad', reports: 2 }]);
    expect(found.mostSanctioned).toEqual([
      { externalUserId: 'bad', sanctions: 1 },
      { externalUserId: 'worse', sanctions: 1 },
    ]);
    expect(found.rooms).toEqual([{ roomId: 'arena', reports: 2, sanctions: 0 }]);
    expect(found.hours[10]).toEqual({ hour: 10, reports: 2, sanctions: 0 });
    expect(found.hours[11]).toEqual({ hour: 11, reports: 0, sanctions: 2 });
    expect(
      await Promise.all([stats(), stats(), stats()]).then((all) => all.map(({ reports }) => reports.total)),
    ).toEqual([2, 2, 2]);
  });

  it('takes a decision back that is reopened', async () => {
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: {} });
    const [{ id } = { id: '' }] = reviews;
    await review(id, { status: 'claimed' });
    const [moderator] = (await stats()).moderators;
    expect(moderator).toMatchObject({ reviewed: 0, overturned: 0, decided: 0, decidedPerHour: null });
    await review(id, { status: 'decided', decision: 'upheld' });
    expect((await stats()).moderators[0]).toMatchObject({ reviewed: 1, overturned: 0, agreement: 1, decided: 1 });
  });

  it('counts the same when it counts anew', async () => {
    const { countedAt: _, ...before } = await stats();
    expect(await rebuild()).toMatchObject({ since: '2026-01-01' });
    const { countedAt: __, ...after } = await stats();
    expect(after).toEqual(before);
  });

  it('counts the same from the log when its aggregates were deleted', async () => {
    const { countedAt: _, ...before } = await stats();
    expect(await writeBeside(daemon.databaseUrl, 'DELETE FROM "ModerationDay"')).toBeGreaterThan(0);
    expect((await stats()).reports.total).toBe(0);
    await rebuild();
    const { countedAt: __, ...after } = await stats();
    expect(after).toEqual(before);
  });

  it('keeps the counts of a person who is erased, and not the name', async () => {
    await report('gone', 'hate');
    await sanction('gone');
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: 'gone' } });
    const found = await stats();
    expect(found.reports.byCategory).toContainEqual({ category: 'hate', reports: 1 });
    expect(found.sanctions.total).toBe(3);
    expect(JSON.stringify(found)).not.toContain('gone');
    for (const user of ['bad', 'worse'])
      await daemon.client.call(personRoutes.erase, { params: { ...params(), user } });
    const { countedAt: _, ...before } = await stats();
    await rebuild();
    const { countedAt: __, ...after } = await stats();
    expect(after).toEqual(before);
    expect(after.templates).toMatchObject([{ name: 'rude', sanctions: 1 }]);
    expect(after.moderators).toMatchObject([{ sanctions: 3, reviewed: 1, decided: 1 }]);
  });

  it('is of 1,100 days at most', async () => {
    const { since, until } = await stats({ since: '2020-01-01T00:00:00Z' });
    expect((Date.parse(until) - Date.parse(since)) / 86_400_000).toBe(1_099);
  });

  it('is of the days that are asked for', async () => {
    pass(40 * 86_400);
    await report('late', 'spam');
    expect((await stats()).reports.total).toBe(1);
    expect((await stats({ since: '2026-03-01T00:00:00Z', until: '2026-03-01T00:00:00Z' })).reports.total).toBe(3);
    expect((await stats({ since: '2026-02-01T00:00:00Z' })).days.map(({ day }) => day)).toEqual([
      '2026-03-01',
      '2026-04-10',
    ]);
  });

  it('has the twenty rooms with most of both', async () => {
    for (const [index, room] of [...Array(21).keys(), 20].entries())
      await daemon.client.call(reportRoutes.create, {
        params: params(),
        body: {
          reporterUserId: `by-${index}`,
          externalUserId: `in-${room}`,
          category: 'other',
          roomId: `room-${room}`,
        },
      });
    const { rooms } = await stats();
    expect([rooms.length, rooms[0]]).toEqual([20, { roomId: 'room-20', reports: 2, sanctions: 0 }]);
  });

  it('keeps what was counted of a year that is over, whatever the log would give now', async () => {
    const day = { since: '2026-03-01T00:00:00Z', until: '2026-03-01T00:00:00Z' };
    now = new Date('2027-01-01T00:00:00.000Z');
    // As an earlier version counted it and the studio published it.
    const published = `UPDATE "ModerationDay" SET "count" = 7 WHERE "what" = 'report' AND "day" = '2026-03-01' AND "key" = 'spam'`;
    expect(await writeBeside(daemon.databaseUrl, published)).toBe(1);
    const { countedAt: _, ...before } = await stats(day);
    expect(before.reports.byCategory).toContainEqual({ category: 'spam', reports: 7 });
    expect(await rebuild()).toMatchObject({ since: '2027-01-01' });
    const { countedAt: __, ...after } = await stats(day);
    expect(after).toEqual(before);
  });
});
