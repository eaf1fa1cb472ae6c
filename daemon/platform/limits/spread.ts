/** Spreads clients that were refused at the same moment, so that they do not come back at the same moment. */

/** Returns whole seconds, from half of `seconds` to one and a half times as many. */
export const spreadSeconds = (seconds: number): number => Math.round(seconds * (0.5 + Math.random()));
