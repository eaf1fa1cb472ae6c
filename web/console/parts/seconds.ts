/** Durations as they are typed. */
import { durationOf, TimeUnreadable } from '../../../src/text/typed-times.js';

/** `10m` → 600; null: left empty; undefined: not understood. */
export function secondsOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  try {
    return durationOf(text.trim());
  } catch (error) {
    if (error instanceof TimeUnreadable) return undefined;
    throw error;
  }
}
