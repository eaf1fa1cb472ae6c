/** What a schema cannot say about a leaderboard. Pure. */
import type { ErrorDetail } from '../../../../src/contract/errors.js';
import type { Leaderboard } from '../../../../src/contract/gameplay/leaderboards.js';
import { eventProblems } from '../challenge-checks.js';

export const boardProblems = (board: Leaderboard): ErrorDetail[] => {
  const { startDate, endDate } = board;
  const backwards = startDate !== null && endDate !== null && endDate <= startDate;
  return [
    ...eventProblems(board, 'body'),
    ...(backwards ? [{ path: 'body.endDate', message: 'must be later than startDate' }] : []),
  ];
};
