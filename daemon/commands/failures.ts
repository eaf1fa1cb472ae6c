/** Prints why a program failed: one line for mistakes that the operator can correct, the stack for everything else. */
import { Interrupted, interrupted } from '../../src/cli/terminal/interruption.js';
import { printError } from '../../src/cli/terminal/terminal.js';
import { withoutPasswords } from '../../src/printable.js';

const ownNames = [
  'ConfigurationError',
  'MigrationError',
  'AddressPooled',
  'DataFolderInUse',
  'PortTaken',
  'TlsUnusable',
  'UsageError',
  'Refused',
];

/** Prints the failure and returns the exit code. */
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
