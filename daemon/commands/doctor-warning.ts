/** Thrown by a check of `earshotd doctor` for a finding that is only a warning. */
export class Warning extends Error {}
