/** What an operator is told when a program ends early: one line for what they can mend, the stack for what they cannot. */
const ownNames = [
  'ConfigurationError',
  'MigrationError',
  'DataFolderInUse',
  'PortTaken',
  'TlsUnusable',
  'UsageError',
  'Refused',
];

/** The command was used in a way that cannot work; the message says how it can. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const explain = (error: unknown): string =>
  error instanceof Error
    ? ownNames.includes(error.name)
      ? error.message
      : (error.stack ?? error.message)
    : String(error);
