/** Errors as scripts read them: with --json, each is one line `{"code": …, "message": …, "details": […]}` on stderr. */
import { ApiError, MayBeDone } from '../../client/errors.js';
import { RemovedFromRoom } from '../../client/room/errors.js';
import type { BadLine } from '../../files/list-rows.js';
import { StateError } from '../../terminal/state-error.js';
import { lineDetails, WrongLines } from '../files/wrong-lines.js';

/** Codes of errors that are not the daemon's, by the exit code of the command. */
const codes: Readonly<Record<number, string>> = {
  2: 'usage',
  3: 'sign_in_failed',
  4: 'unknown_name',
  5: 'refused',
  7: 'daemon_unreachable',
};

/** True if the line asks for JSON, also where its flags could not be read. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--json' || word === '--items');
}

/** One line, without its end. `message`: in the words that people read. */
export function errorJson(error: unknown, message: string, exitCode: number): string {
  if (error instanceof ApiError || error instanceof StateError)
    return JSON.stringify({ code: error.code, message, details: error.details });
  if (error instanceof MayBeDone) return JSON.stringify({ code: 'may_be_done', message, details: [] });
  if (error instanceof WrongLines) return JSON.stringify({ code: codes[2], message, details: error.details });
  const until = error instanceof RemovedFromRoom ? error.until : null;
  const details = until === null ? [] : [{ path: 'until', message: until }];
  return JSON.stringify({ code: codes[exitCode] ?? 'unexpected', message, details });
}

/** One line about a file of which lines are refused. */
export const refusedLinesJson = (bad: readonly BadLine[], message: string, exitCode: number): string =>
  JSON.stringify({ code: codes[exitCode], message, details: lineDetails(bad) });
