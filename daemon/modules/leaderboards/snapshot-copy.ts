/** Copies a snapshot into the tally of a rebuild, a part at a time. */
import type { Database, Transaction } from '../../platform/database/database.js';
import type { Count } from './board.js';
import { type ScoreStore, scoreOfKey, scoreOfRow } from './score-store.js';
import { mergeScores, type Score, type ScoreRow, type ShareRow } from './scoring.js';

const rowsAtOnce = 1_000;

/** Called in the transaction of each part; throws to undo the part and end the work. */
type EachCopied = (tx: Transaction) => Promise<void>;

export class SnapshotCopy {
  constructor(
    private readonly database: Database,
    private readonly scores: ScoreStore,
  ) {}

  /** Copies the scores that a snapshot holds; scores of teams are computed from the shares of their members. */
  async copy(from: string, count: Count, each: EachCopied): Promise<void> {
    await this.copyUsers(from, count, each);
    await this.copyTeams(from, count, each);
  }

  private async copyUsers(from: string, { tallyId, excluded, definition }: Count, each: EachCopied): Promise<void> {
    const { sortOrder } = definition.board;
    let after = '';
    for (;;) {
      const members = await this.scores.membersAfter(this.database.read, from, 'user', after, rowsAtOnce);
      const rows = members.filter(({ memberId }) => !excluded.has(memberId));
      const scores = rows.map((row) => ({
        tallyId,
        memberType: row.memberType,
        memberId: row.memberId,
        sortOrder,
        ...scoreOfRow(row, sortOrder),
      }));
      await this.database.transaction(async (tx) => {
        await this.scores.save(tx, scores, () => 0);
        await each(tx);
      });
      after = members.at(-1)?.memberId ?? after;
      if (members.length < rowsAtOnce) return;
    }
  }

  private async copyTeams(from: string, { tallyId, excluded, definition }: Count, each: EachCopied): Promise<void> {
    const { sortOrder } = definition.board;
    let share = { teamId: '', userId: '' };
    let team: ScoreRow | null = null;
    const reduced = new Set<string>();
    for (;;) {
      const page = await this.scores.sharesAfter(this.database.read, from, share, rowsAtOnce);
      const shares = page.filter(({ userId }) => !excluded.has(userId)).map((row): ShareRow => ({ ...row, tallyId }));
      for (const { teamId, userId } of page) if (excluded.has(userId)) reduced.add(teamId);
      const teams: ScoreRow[] = [];
      for (const { teamId, score, exact, reachedId } of shares) {
        const own: Score = { score, exact, reachedId };
        if (team !== null && team.memberId !== teamId) teams.push(team);
        const merged: Score = team?.memberId === teamId ? mergeScores(definition.board, team, own) : own;
        team = { tallyId, memberType: 'team', memberId: teamId, sortOrder, ...merged };
      }
      const done = page.length < rowsAtOnce;
      const whole = done && team !== null ? [...teams, team] : teams;
      const rows = await this.withTimeReached(from, whole, reduced);
      await this.database.transaction(async (tx) => {
        await this.scores.saveShares(tx, shares);
        await this.scores.save(tx, rows, () => 0);
        await each(tx);
      });
      share = page.at(-1) ?? share;
      if (done) return;
    }
  }

  /**
   * Takes from the snapshot since when a team has had its score, where nobody of the team is left out: with `last`, shares
   * only say which event came last. Choice: a team without some of its members has had its score since that event.
   */
  private async withTimeReached(
    from: string,
    teams: readonly ScoreRow[],
    reduced: ReadonlySet<string>,
  ): Promise<ScoreRow[]> {
    const keys = teams.map(({ memberType, memberId }) => ({ tallyId: from, memberType, memberId }));
    const stored = new Map((await this.scores.scores(this.database.read, keys)).map((row) => [row.memberId, row]));
    return teams.map((team) => {
      const known = reduced.has(team.memberId) ? undefined : stored.get(team.memberId);
      const isSame = known !== undefined && scoreOfKey(known.sortKey, team.sortOrder) === team.score;
      return isSame ? { ...team, reachedId: known.reachedId } : team;
    });
  }
}
