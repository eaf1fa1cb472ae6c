/** Errors about what was typed: the command ends with the code for wrong usage, and the daemon is not asked. */

/** The input is not understood; the message says what is. */
export class NotUnderstood extends Error {
  override name = 'NotUnderstood';
}

/** Nothing has the name that was typed; the message says what comes near. */
export class UnknownName extends NotUnderstood {
  override name = 'UnknownName';
}
