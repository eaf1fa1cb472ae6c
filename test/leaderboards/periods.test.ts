/**
 * Periods of boards where clocks change, and the border of the archive; expected times are from the zones' own
 * calendars.
 */
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, minute, openGame } from '../support/game.js';
import { boardsOf } from './support.js';

const hour = 60 * minute;
const at = (time: string) => Date.parse(time);
/** Time after all other events, for a board that is never reset. */
const behindAll = at('2028-01-01T00:00:00Z');
/** Days whose length differs: zone, how long, when they begin and end. */
const days = [
  ['Berlin in spring, 23 hours', 'Europe/Berlin', 'd', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z'],
  ['Berlin in autumn, 25 hours', 'Europe/Berlin', 'd', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'],
  ['New York in spring, 23 hours', 'America/New_York', 'd', '2027-03-14T05:00:00Z', '2027-03-15T04:00:00Z'],
  ['New York in autumn, 25 hours', 'America/New_York', 'd', '2027-11-07T04:00:00Z', '2027-11-08T05:00:00Z'],
  ['Lord Howe, half an hour more', 'Australia/Lord_Howe', 'd', '2027-04-03T13:00:00Z', '2027-04-04T13:30:00Z'],
  ['Santiago in spring, without midnight', 'America/Santiago', 'd', '2027-09-05T04:00:00Z', '2027-09-06T03:00:00Z'],
  ['Havana in spring, without midnight', 'America/Havana', 'd', '2027-03-14T05:00:00Z', '2027-03-15T04:00:00Z'],
  ['the Azores in spring, without midnight', 'Atlantic/Azores', 'd', '2027-03-28T01:00:00Z', '2027-03-29T00:00:00Z'],
  ['a week of Berlin, an hour less', 'Europe/Berlin', 'w', '2027-03-21T23:00:00Z', '2027-03-28T22:00:00Z'],
  ['a month of Berlin, an hour more', 'Europe/Berlin', 'm', '2027-09-30T22:00:00Z', '2027-10-31T23:00:00Z'],
] as const;

describe.each(databases.filter(({ here }) => here))('periods of boards on $name', ({ open }) => {
  let opened: TestDatabase;
  let game: Game;
  beforeAll(async () => {
    opened = await open();
    game = await openGame(opened.database);
  }, 60_000);
  afterAll(async () => {
    await game.intake.stop();
    await opened.close();
  });

  const rankingOf = (id: string, periodId?: string) => boardsOf(game).ranking(id, 'user', periodId);

  it.each(days)('%s', async (_, timeZone, range, begins, ends) => {
    game.time.now = at(begins) - 1;
    game.time.now -= 1;
    const id = await boardsOf(game).create({ resetPeriod: { range, atTime: '00:00', timeZone } });
    await game.kill('before', 1);
    game.time.now = at(begins);
    await game.kill('first', 2);
    game.time.now = at(ends) - 1;
    await game.kill('last', 3);
    await game.kill('first', 4);
    game.time.now = at(ends);
    expect(await rankingOf(id)).toEqual([]);
    await game.kill('next', 5);
    const { periods } = await game.boards.rankings.listPeriods(game.projectId, id, { limit: 10, offset: 0 });
    expect(periods.map(({ startsAt, isCurrent }) => [startsAt, isCurrent]).slice(0, 2)).toEqual([
      [new Date(ends).toISOString(), true],
      [new Date(begins).toISOString(), false],
    ]);
    expect(periods.map(({ endsAt }) => endsAt).slice(1)).toEqual([
      new Date(ends).toISOString(),
      new Date(begins).toISOString(),
    ]);
    const boards = await Promise.all(periods.map((period) => rankingOf(id, period.id)));
    expect(boards).toEqual([['1 next 5'], ['1 first 6', '2 last 3'], ['1 before 1']]);
    await game.boards.service.delete(game.projectId, id);
  });

  it('a night without midnight begins one period of a board and of a challenge, whatever is sent and read', async () => {
    const resetPeriod = { range: 'd', atTime: '00:00', timeZone: 'America/Santiago' } as const;
    const midnight = at('2027-09-05T04:00:00Z');
    game.time.now = midnight - 3 * hour;
    const id = await boardsOf(game).create({ resetPeriod });
    const daily = { name: 'Daily', eventName: 'kill-enemy', goal: 100, autoActivated: true, resetPeriod };
    const { id: challengeId } = await game.create(daily);
    const counters: number[] = [];
    for (let now = midnight - 2 * hour; now < midnight + hour; now += 10 * minute) {
      game.time.now = now;
      await game.players.list(game.player('ann'));
      await game.kill('ann', 1);
      const { counter } = await game.progress('ann', challengeId);
      counters.push(counter);
      expect(await rankingOf(id)).toEqual([`1 ann ${counter}`]);
    }
    expect(counters).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6]);
    const { periods } = await game.boards.rankings.listPeriods(game.projectId, id, { limit: 10, offset: 0 });
    expect(periods).toHaveLength(2);
    await game.boards.service.delete(game.projectId, id);
  });

  it('a board that has ended keeps its last period, whoever reads, renames or resets it, until it goes on', async () => {
    const day = 24 * hour;
    const [created, ended] = [at('2026-02-01T12:00:00Z'), at('2026-02-10T12:00:00Z')];
    const service = game.boards.service;
    const periods = async () =>
      (await game.boards.rankings.listPeriods(game.projectId, id, { limit: 10, offset: 0 })).periods.map(
        ({ startsAt, endsAt }) => [startsAt.slice(0, 10), endsAt?.slice(0, 10) ?? null],
      );
    game.time.now = created;
    const resetPeriod = { range: 'd', atTime: '00:00', timeZone: 'UTC' } as const;
    const id = await boardsOf(game).create({ resetPeriod, endDate: new Date(ended).toISOString() });
    await game.kill('ann', 5);
    game.time.now = ended + 30 * day;
    expect(await rankingOf(id)).toEqual(['1 ann 5']);
    await service.update(game.projectId, id, { name: { en: 'Another' } });
    await service.update(game.projectId, id, { resetPeriod: { ...resetPeriod, range: 'w' } });
    await service.update(game.projectId, id, { resetPeriod });
    expect(await periods()).toEqual([['2026-02-01', '2026-02-02']]);
    expect(await rankingOf(id)).toEqual(['1 ann 5']);
    await service.reset(game.projectId, id);
    expect(await periods()).toEqual([
      ['2026-03-12', null],
      ['2026-02-01', '2026-02-02'],
    ]);
    await service.update(game.projectId, id, { endDate: new Date(ended + 60 * day).toISOString() });
    await game.kill('ben', 7);
    expect(await rankingOf(id)).toEqual(['1 ben 7']);
    expect((await periods())[0]).toEqual(['2026-03-12', '2026-03-13']);
    await service.delete(game.projectId, id);
  });

  it('a board that ends within a period ends it there', async () => {
    const ended = at('2026-08-10T15:00:00Z');
    game.time.now = ended - hour;
    const endDate = new Date(ended).toISOString();
    const midnight = '2026-08-11T00:00:00.000Z';
    const id = await boardsOf(game).create({
      resetPeriod: { range: 'd', atTime: '00:00', timeZone: 'UTC' },
      endDate: new Date(ended + 30 * hour).toISOString(),
    });
    const allTime = await boardsOf(game).create({ endDate });
    const { rankings, service } = game.boards;
    const endsAt = async (board: string) =>
      (await rankings.listPeriods(game.projectId, board, { limit: 10, offset: 0 })).periods.map((one) => one.endsAt);
    expect(await endsAt(id)).toEqual([midnight]);
    await service.update(game.projectId, id, { endDate });
    expect(await endsAt(id)).toEqual([endDate]);
    expect(await endsAt(allTime)).toEqual([endDate]);
    await game.kill('ann', 5);
    game.time.now = ended + hour;
    expect(await endsAt(id)).toEqual([endDate]);
    game.time.now = ended + 20 * hour;
    expect(await endsAt(id)).toEqual([endDate]);
    expect(await rankingOf(id)).toEqual(['1 ann 5']);
    for (const board of [id, allTime]) await service.reset(game.projectId, board);
    expect(await endsAt(id)).toEqual([null, endDate]);
    expect(await endsAt(allTime)).toEqual([null, endDate]);
    for (const board of [id, allTime]) await service.delete(game.projectId, board);
  });

  it('a board that goes on begins a period of today, and leaves the last one as it was', async () => {
    const day = 24 * hour;
    const ended = at('2026-06-10T12:00:00Z');
    game.time.now = ended - hour;
    const resetPeriod = { range: 'd', atTime: '00:00', timeZone: 'UTC' } as const;
    const id = await boardsOf(game).create({ resetPeriod, endDate: new Date(ended).toISOString() });
    await game.kill('ann', 5);
    game.time.now = ended + 5 * day;
    await game.boards.service.update(game.projectId, id, { endDate: null });
    expect(await rankingOf(id)).toEqual([]);
    const { periods } = await game.boards.rankings.listPeriods(game.projectId, id, { limit: 10, offset: 0 });
    expect(periods.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2026-06-15T00:00:00.000Z', '2026-06-16T00:00:00.000Z'],
      [new Date(ended - hour + 1).toISOString(), '2026-06-11T00:00:00.000Z'],
    ]);
    await game.boards.service.delete(game.projectId, id);
  });

  it('a tie is led by whoever was first, in the archive as on the board', async () => {
    game.time.now = behindAll;
    const id = await boardsOf(game).create();
    const users = ['zoe', 'ann', 'max', 'bob'];
    for (const user of users) await game.kill(user, 5);
    await game.kill('zoe', 1);
    await game.kill('max', 1);
    const expected = ['1 zoe 6', '2 max 6', '3 ann 5', '4 bob 5'];
    expect(await rankingOf(id)).toEqual(expected);
    const { period } = await game.boards.rankings.find(game.projectId, id);
    game.time.now += 1;
    await game.boards.service.reset(game.projectId, id);
    expect(await rankingOf(id, period.id)).toEqual(expected);
    await game.boards.service.delete(game.projectId, id);
  });

  it('what an erased person brought to a team stays with the team, in the archive and after a rebuild', async () => {
    game.time.now = behindAll;
    const id = await boardsOf(game).create();
    const send = (user: string, amount: number, team_id: string) => game.kill(user, amount, { team_id });
    await send('gone', 7, 'red');
    await send('ann', 3, 'red');
    const { period } = await game.boards.rankings.find(game.projectId, id);
    game.time.now += 1;
    await game.boards.service.reset(game.projectId, id);
    game.time.now += 1;
    await send('gone', 20, 'red');
    await send('ben', 6, 'blue');
    await send('ann', 1, 'red');
    await game.database.transaction(async (tx) => {
      await game.boards.erasure.erase(tx, game.projectId, 'gone');
      await tx.gameEvent.deleteMany({ where: { projectId: game.projectId, userId: 'gone' } });
    });
    const teams = async (periodId?: string) =>
      (await boardsOf(game).ranking(id, 'team', periodId)).map((line) => line.replace(/^\d+ /, ''));
    expect(await rankingOf(id)).toEqual(['1 ben 6', '2 ann 1']);
    expect([await teams(), await teams(period.id)]).toEqual([['red 21', 'blue 6'], ['red 10']]);
    expect(await rankingOf(id, period.id)).toEqual(['1 ann 3']);
    const made = await boardsOf(game).rebuild(id, { without: ['ben'] });
    await boardsOf(game).apply(id, made.id);
    expect([await rankingOf(id), await teams()]).toEqual([['1 ann 1'], ['red 21']]);
    await game.boards.service.delete(game.projectId, id);
  });

  it('a member of no board has no place, and an unknown period is refused', async () => {
    const id = await boardsOf(game).create();
    await expect(rankingOf(id, uuidv7())).rejects.toMatchObject({ code: 'leaderboard_period_not_found' });
    await game.boards.service.delete(game.projectId, id);
  });
});
