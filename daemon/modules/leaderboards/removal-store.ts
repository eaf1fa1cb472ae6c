/**
 * Takes members off a board, in the period that runs. What they did before in that period does not count again when it is
 * rebuilt; earlier periods stay as they were.
 */
import type { MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type { Transaction } from '../../platform/database/database.js';
import { madeAtMs } from '../../platform/ids/id-time.js';
import { continueAfter, uuidv7 } from '../../platform/ids/new-id.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import { giveOrigin, hasEvents } from '../game-events/replay-store.js';
import type { BoardDefinition } from './board.js';
import type { ScoreStore } from './score-store.js';
import type { MemberKey } from './scoring.js';

export class MemberRemoval {
  constructor(private readonly scores: ScoreStore) {}

  /** Returns false if the member is not on the board. The lists in memory are loaded again. */
  async remove(
    tx: Transaction,
    { board, period }: BoardDefinition,
    { memberType, memberId }: { readonly memberType: MemberType; readonly memberId: string },
  ): Promise<boolean> {
    await this.scores.lockLive(tx, [period.tallyId]);
    const before = timeBetweenIds();
    const key = { leaderboardId: board.id, periodId: period.id, memberType, memberId };
    const [row] = await this.scores.scores(tx, [{ tallyId: period.tallyId, memberType, memberId }]);
    if (row === undefined) return false;
    const others = { periodId: period.id, role: { not: 'discarded' } };
    const tallies = await tx.leaderboardTally.findMany({ where: others, select: { id: true } });
    const ids = tallies.map(({ id }) => id);
    // Locks them, so that a rebuild that is counting leaves this member out from here on.
    await tx.leaderboardTally.updateMany({ where: { id: { in: ids } }, data: { epoch: { increment: 1 } } });
    await tx.leaderboardScore.deleteMany({ where: { tallyId: { in: ids }, memberType, memberId } });
    if (memberType === 'team')
      await tx.leaderboardShare.deleteMany({ where: { tallyId: { in: ids }, teamId: memberId } });
    await tx.leaderboardExclusion.updateMany({ where: key, data: { before } });
    const whole = { ...key, origin: '' };
    await tx.leaderboardExclusion.upsert({
      where: { leaderboardId_memberType_memberId_origin_periodId: whole },
      create: { ...whole, excluded: false, before },
      update: { before },
    });
    return true;
  }
}

/** Returns a time by which this daemon has made every id until now, and before which it makes none from now on. */
function timeBetweenIds(): Date {
  const last = uuidv7();
  continueAfter(last);
  return new Date(madeAtMs(last) + 1);
}

const textOf = (...names: readonly [memberType: string, memberId: string, origin: string]): string =>
  JSON.stringify(names);

/** True if an event of a member counts, by the id of the event: ids of events go on where a clock is set back. */
type CountsAfterRemoval = (
  member: Pick<MemberKey, 'memberType' | 'memberId'>,
  eventId: string,
  origin?: string | null,
) => boolean;

/** Events of members who were taken off the board in a period do not count there from before that. */
export async function countsAfterRemoval(
  tx: Transaction,
  period: { readonly leaderboardId: string; readonly periodId: string },
): Promise<CountsAfterRemoval> {
  const rows = await tx.leaderboardExclusion.findMany({ where: { ...period, before: { not: null } } });
  const times = new Map(
    rows.map(({ memberType, memberId, origin, before }) => [textOf(memberType, memberId, origin), before] as const),
  );
  return ({ memberType, memberId }, eventId, origin) => {
    const before = times.get(textOf(memberType, memberId, origin ?? '')) ?? times.get(textOf(memberType, memberId, ''));
    return before == null || madeAtMs(eventId) >= before.getTime();
  };
}

const rowsOf = (tx: Transaction, projectId: string, memberId: string) =>
  tx.leaderboardExclusion.findMany({ where: { leaderboard: { projectId }, memberType: 'user', memberId } });

/**
 * Before two users become one: a removal of one must not take away what the other one scored, so the events of whoever was
 * removed are named by an origin, and their removals are about these alone.
 */
async function tellApart(tx: Transaction, projectId: string, own: string, other: string): Promise<void> {
  const rows = await rowsOf(tx, projectId, own);
  const whole = rows.filter(({ origin, before }) => origin === '' && before !== null);
  if (whole.length === 0 || !(await hasEvents(tx, { projectId, userId: other }))) return;
  const origins = new Set(rows.map(({ origin }) => origin).filter((origin) => origin !== ''));
  origins.add(await giveOrigin(tx, { projectId, userId: own }));
  for (const row of whole) {
    const { leaderboardId, memberType, memberId, origin, periodId } = row;
    const ofPeriod = rows.filter((one) => one.leaderboardId === leaderboardId && one.periodId === periodId);
    const known = ofPeriod.map((one) => one.origin);
    const data = [...origins].filter((one) => !known.includes(one)).map((one) => ({ ...row, origin: one }));
    await tx.leaderboardExclusion.createMany({ data });
    const key = { leaderboardId, memberType, memberId, origin, periodId };
    await tx.leaderboardExclusion.delete({ where: { leaderboardId_memberType_memberId_origin_periodId: key } });
  }
}

/** The removals of one user become those of another, each about the same events as before. */
export async function renameRemovals(
  tx: Transaction,
  { projectId, from, to }: Pick<MovingPerson, 'projectId' | 'from' | 'to'>,
): Promise<void> {
  await tellApart(tx, projectId, from, to);
  await tellApart(tx, projectId, to, from);
  const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);
  for (const { leaderboardId, memberType, memberId, origin, periodId, before } of await rowsOf(tx, projectId, from)) {
    const key = { leaderboardId, memberType, origin, periodId };
    const there = { leaderboardId_memberType_memberId_origin_periodId: { ...key, memberId: to } };
    const known = await tx.leaderboardExclusion.findUnique({ where: there });
    await tx.leaderboardExclusion.upsert({
      where: there,
      create: { ...key, memberId: to, excluded: false, before },
      update: { before: later(before, known?.before ?? null) },
    });
    await tx.leaderboardExclusion.delete({
      where: { leaderboardId_memberType_memberId_origin_periodId: { ...key, memberId } },
    });
  }
}
