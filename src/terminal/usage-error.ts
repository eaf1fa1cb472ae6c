/** Errors in a command line, in a file that it names, or in an answer to its question: exit code 2, or 4 for a name. */

/** The command was used wrongly; the message says how to use it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Nothing has the name that was typed; the message says what comes near. */
export class UnknownName extends UsageError {
  override name = 'UnknownName';
}
