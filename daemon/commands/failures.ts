/** What an operator is told when a program ends early: one line for what they can mend, the stack for what they cannot. */
import { Interrupted, interrupted } from '../../src/cli/interruption.js';
import { printError } from '../../src/cli/terminal.js';
import { withoutPasswords } from '../../src/printable.js';

const ownNames = [
  'ConfigurationError',
  'MigrationError',
  'DataFolderInUse',
  'PortTaken',
  'TlsUnusable',
  'UsageError',
  'NotUnderstood',
  'Refused',
];

/** The command was used in a way that cannot work; the message says how it can. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Tells the operator, and returns the exit code. */
export function report(error: unknown): number {
  if (error instanceof Interrupted) return interrupted;
  printError(withoutPasswords(explain(error)));
  return 1;
}

const explain = (error: unknown): string =>
  error instanceof Error
    ? ownNames.includes(error.name)
      ? error.message
      : (error.stack ?? error.message)
    : String(error);
