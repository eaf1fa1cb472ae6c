/**
 * The time of the daemon. `--since 10m` is counted from it, and ends are shown by it, because the clock of this machine may be
 * minutes off: what the daemon stored is timed by its own.
 */

/** An answer states its time in whole seconds, and takes a while to arrive: less than this says nothing. */
const differenceMinMs = 3_000;
/** A daemon that answers later is asked for the time no further; the command itself says what is wrong with it. */
const patienceMs = 5_000;
const halfSecondMs = 500;

let aheadMs = 0;

/** The daemon's time, once it has answered anything; until then, that of this machine. */
export const daemonNow = (): Date => new Date(Date.now() + aheadMs);

const relativeShape = /^\s*([a-z]+:)?(now|(in )?(\d+ ?[a-z]+ ?)+( ago)?)\s*$/i;
/** True if one of the typed texts, by flag or argument, may be a time counted from now, or names a file that may have some. */
export const mayHoldTimes = (typed: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(typed).some(
    ([name, value]) =>
      [value].flat().some((one) => typeof one === 'string' && (one === '-' || relativeShape.test(one))) ||
      (name === 'file' && value !== undefined),
  );

/** Learns the time from the header Date of an answer whose head has just arrived. */
export function learnTime(date: string | null): void {
  const difference = Date.parse(date ?? '') + halfSecondMs - Date.now();
  aheadMs = Math.abs(difference) >= differenceMinMs ? difference : 0;
}

/** Asks the daemon for its time. Where nothing answers, the clock of this machine stays in use. */
export async function askForTime(baseUrl: string): Promise<void> {
  const url = `${baseUrl.replace(/\/$/, '')}/health/live`;
  const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) }).catch(() => null);
  learnTime(answer?.headers.get('Date') ?? null);
}
