/** Checks of a leaderboard that a schema cannot express. Pure. */
import type { ErrorDetail } from '../../../../src/contract/errors.js';
import type { Leaderboard } from '../../../../src/contract/gameplay/leaderboards.js';
import { type CountedEvents, dateProblems, eventProblems } from '../challenge-checks.js';

type Judged = CountedEvents & Pick<Leaderboard, 'startDate' | 'endDate'>;

/** `path`: where the board stands in the request. */
export const boardProblems = (board: Judged, path: string): ErrorDetail[] => [
  ...eventProblems(board, path),
  ...dateProblems(board, path),
];
