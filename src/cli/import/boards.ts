/**
 * Moves leaderboards with their scores. A board counts the event `earn-points` of its own `type`, so that the game goes on
 * with the same event; each score is one such event, which the daemon stores once.
 */
import {
  type Aggregate,
  type Leaderboard,
  leaderboardRoutes,
  type SortOrder,
} from '../../contract/gameplay/leaderboards.js';
import { ProgressLine } from '../../terminal/progress.js';
import { importEvents } from '../gameplay/import-events.js';
import type { ImportRun, MoveCount } from './move.js';

export interface SourceScore {
  readonly userId: string;
  readonly score: number;
  /** When it was reached, as text that sorts; null: unknown. Of equal scores, the earlier one is ahead. */
  readonly at: string | null;
}

export interface SourceBoard {
  readonly id: string;
  readonly name: string;
  readonly sortOrder: SortOrder;
  readonly aggregate: Aggregate;
  readonly scores: readonly SourceScore[];
}

const eventName = 'earn-points';

const boardsHere = (move: ImportRun): Promise<Leaderboard[]> =>
  move.all(
    (query) => move.client.call(leaderboardRoutes.list, { params: move.params, query }),
    ({ leaderboards }) => leaderboards,
  );

const typeOf = ({ metadataConditions }: Leaderboard): unknown =>
  metadataConditions.find(({ key }) => key === 'type')?.values[0];

export async function moveBoards(move: ImportRun, boards: readonly SourceBoard[]): Promise<void> {
  const here = await boardsHere(move);
  const sameAs = (board: SourceBoard) =>
    here.find((one) => one.eventName === eventName && typeOf(one) === board.id && one.metadataConditions.length === 1);
  await move.carry(
    'leaderboards',
    boards.map((board) => {
      const there = sameAs(board);
      const differs = (['sortOrder', 'aggregate'] as const).flatMap((field) =>
        there === undefined || there[field] === board[field]
          ? []
          : [`${field} is ${there[field]} here and ${board[field]} there`],
      );
      return {
        from: board.id,
        label: board.name,
        there: there?.id ?? null,
        differs,
        create: async () => {
          const { name, sortOrder, aggregate } = board;
          const metadataConditions = [{ key: 'type', values: [board.id] }];
          const body = { name, eventName, sortOrder, aggregate, metadataConditions } as const;
          return (await move.client.call(leaderboardRoutes.create, { params: move.params, body })).id;
        },
      };
    }),
  );
  const sums = new Set(boards.filter((one) => one.aggregate !== 'sum' && sameAs(one)?.aggregate === 'sum'));
  await moveScores(move, boards, sums);
}

/** @param sums boards that add up here and do not there: a score would be added to what the player has */
async function moveScores(
  move: ImportRun,
  boards: readonly SourceBoard[],
  sums: ReadonlySet<SourceBoard>,
): Promise<void> {
  const count: MoveCount = { kind: 'scores', found: 0, created: 0, there: 0, left: 0, refused: 0 };
  Object.assign(count, { found: boards.reduce((sum, { scores }) => sum + scores.length, 0) });
  move.counts.push(count);
  for (const board of boards) {
    if (move.signal.aborted) return;
    if (sums.has(board)) {
      count.left += board.scores.length;
      move.differs(`scores ${board.name}: stay there, because the board here adds them up: pass --aggregate sum`);
      continue;
    }
    const boardId = move.idOf('leaderboards', board.id);
    const before = boardId === undefined ? new Map<string, number>() : await scoresHere(move, boardId);
    const open = board.scores.filter(({ userId, score }) => before.get(userId) !== score);
    count.there += board.scores.length - open.length;
    if (move.isDryRun) {
      count.created += open.length;
      continue;
    }
    if (boardId === undefined) {
      count.refused += open.length;
      continue;
    }
    await send(move, board, open, count);
    const after = await scoresHere(move, boardId);
    for (const { userId, score } of board.scores)
      if (after.get(userId) !== score)
        move.differs(`scores ${board.name}: ${userId} has ${after.get(userId) ?? 'none'} here and ${score} there`);
    const strangers = [...after.keys()].length - board.scores.length;
    if (strangers > 0) move.differs(`scores ${board.name}: ${strangers} more members here`);
  }
}

async function send(
  move: ImportRun,
  board: SourceBoard,
  scores: readonly SourceScore[],
  count: MoveCount,
): Promise<void> {
  const progress = new ProgressLine();
  // A sum is counted once, whatever the score is in a later run; otherwise a new score replaces the old one.
  const keyOf = ({ userId, score }: SourceScore) =>
    `import:${move.source}:${board.id}:${userId}${board.aggregate === 'sum' ? '' : `:${score}`}`.slice(0, 300);
  // Not with its time: it lies before the board. Of equal scores, the one that is sent earlier is ahead.
  const inOrder = [...scores].sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : (a.at ?? '') > (b.at ?? '') ? 1 : 0));
  const events = inOrder.map((one, index) => ({
    line: index + 1,
    event: {
      user_id: one.userId,
      event_name: eventName,
      metadata: { amount: one.score, type: board.id },
      idempotency_key: keyOf(one),
    },
  }));
  const { stored, refused, failure } = await importEvents(events, {
    client: move.client,
    projectId: move.projectId,
    signal: move.signal,
    key: `import:${move.source}:${board.id}`,
    onProgress: (done) => progress.show(done, events.length, `${done} of ${events.length} scores of ${board.name}`),
  }).finally(() => progress.clear());
  count.created += stored;
  count.refused += refused.length;
  for (const { line, message } of refused)
    move.differs(`scores ${board.name}: ${inOrder[line - 1]?.userId} with ${inOrder[line - 1]?.score}: ${message}`);
  if (failure !== null) throw failure;
}

async function scoresHere(move: ImportRun, id: string): Promise<Map<string, number>> {
  const entries = await move.all(
    (query) => move.client.call(leaderboardRoutes.ranking, { params: { ...move.params, id }, query }),
    (page) => page.entries,
  );
  return new Map(entries.map(({ memberId, score }) => [memberId, score]));
}
