/** Runs a command and turns an error into one message on stderr and an exit code that scripts can read. */
import { stripVTControlCharacters } from 'node:util';
import * as Errors from '@oclif/core/errors';
import { flush } from '@oclif/core/flush';
import { run } from '@oclif/core/run';
import {
  ApiError,
  DaemonUnreachable,
  InvalidAddress,
  InvalidPathPart,
  NotEarshot,
  Redirected,
  UnexpectedAnswer,
  UnreadableStream,
  UpgradeMissing,
} from '../client/errors.js';
import { InvalidRequest } from '../client/invalid-request.js';
import { ForeignRooms, MediaUnreachable, RemovedFromRoom } from '../client/room/errors.js';
import { TopicRefused } from '../client/topic-refused.js';
import { UnusableRecording } from '../client/voice/errors.js';
import { Interrupted, interrupted } from '../terminal/interruption.js';
import { StateError } from '../terminal/state-error.js';
import { printError, printErrorData } from '../terminal/terminal.js';
import { UnknownName, UsageError } from '../terminal/usage-error.js';
import { harmless } from '../text/printable.js';
import { otherVersion, takeVersion } from './command/daemon-version.js';
import { errorJson, wantsJson } from './command/error-json.js';
import { hintOf } from './command/hints.js';
import { CutOff } from './files/ndjson.js';
import { SignInFailed } from './sign-in/errors.js';

const unreached = [
  DaemonUnreachable,
  UpgradeMissing,
  NotEarshot,
  Redirected,
  UnexpectedAnswer,
  CutOff,
  MediaUnreachable,
] as const;
const mistyped = [UsageError, InvalidAddress, InvalidPathPart, InvalidRequest, UnusableRecording] as const;
const refused = [RemovedFromRoom, ForeignRooms, TopicRefused, UnreadableStream] as const;

/**
 * 0 done, 1 unexpected or a check that failed, 2 usage, 3 credential, 4 not found, 5 refused, 6 rate limited, 7 daemon
 * unreachable, 130 interrupted.
 */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return interrupted;
  if (unreached.some((kind) => error instanceof kind)) return 7;
  if (error instanceof StateError) return error.exitCode;
  if (error instanceof UnknownName) return 4;
  if (mistyped.some((kind) => error instanceof kind)) return 2;
  if (refused.some((kind) => error instanceof kind)) return 5;
  if (error instanceof SignInFailed) return 3;
  if (error instanceof ApiError) {
    if (error.status === 401) return 3;
    if (error.status === 404) return 4;
    if (error.status === 429) return 6;
    return error.status < 500 ? 5 : 1;
  }
  return error instanceof Errors.CLIError ? (error.oclif.exit ?? 2) : 1;
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    return [error.message, ...error.details.map(({ path, message }) => `  ${path}: ${message}`)]
      .map(harmless)
      .join('\n');
  }
  if (error instanceof RemovedFromRoom && error.until !== null)
    return `${harmless(error.message)}\n  until: ${harmless(error.until)}`;
  if (error instanceof Errors.CLIError) return plain(error.message);
  if (error instanceof Error)
    return exitCodeOf(error) === 1 ? (error.stack ?? error.message) : withoutParsing(error.message);
  return String(error);
}

/** oclif colours parts of its messages, and escape sequences of others never reach the terminal. */
const plain = (message: string): string =>
  withoutParsing(stripVTControlCharacters(message)).replaceAll(/(Missing required flag) (?=[a-z])/g, '$1 --');

/** oclif says before an error of ours which flag it read. */
const withoutParsing = (message: string): string => message.replace(/^Parsing --\S+ \n\t/, '');

/**
 * Prints an error on stderr: a message with what to do about it, or one line of JSON. `of`: what it is about, where one of
 * many is refused.
 */
export function printFailure(error: unknown, { isJson, of }: { readonly isJson: boolean; readonly of?: string }): void {
  const about = of === undefined ? '' : `${harmless(of)}: `;
  const hint = hintOf(error);
  if (isJson) {
    const message = error instanceof Error ? plain(error.message) : String(error);
    const whole = `${about}${hint === null ? message : `${message} ${hint}`}`;
    printErrorData(`${errorJson(error, whole, exitCodeOf(error))}\n`);
    return;
  }
  printError(`${about}${messageOf(error)}`);
  if (hint !== null) printError(hint);
}

/** Runs one command of the package in the folder `root`. Its exit code is left in `process.exitCode`; errors are printed on stderr. */
export async function runCommand(argv: string[], root: string): Promise<void> {
  try {
    await run(argv, { root, userPlugins: false, devPlugins: false });
    await flush();
  } catch (error) {
    const isHelp = error instanceof Errors.CLIError && error.oclif.exit === 0;
    // A command that exits by itself has printed the reason.
    const isSaid = isHelp || error instanceof Errors.ExitError || error instanceof Interrupted;
    if (!isSaid) printFailure(error, { isJson: wantsJson(argv) });
    process.exitCode = isHelp ? 0 : exitCodeOf(error);
  }
  const daemon = takeVersion();
  const hasFailed = (process.exitCode ?? 0) !== 0 && !wantsJson(argv);
  const differs = daemon !== null && (hasFailed || process.stderr.isTTY) ? otherVersion(daemon, root) : null;
  if (differs !== null) printError(differs);
}

export async function runCli(argv: string[], root: string): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : 1),
  );
  process.on('SIGINT', () => process.exit(interrupted));
  await runCommand(argv, root);
}
