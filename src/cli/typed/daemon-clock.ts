/**
 * The time of the daemon. `--since 10m` is counted from it, because the clock of this machine may be minutes off: what the
 * daemon stored is timed by its own.
 */

/** An answer states its time in whole seconds, and takes a while to arrive: less than this says nothing. */
const differenceMinMs = 3_000;
/** A daemon that answers later is asked for the time no further; the command itself says what is wrong with it. */
const patienceMs = 5_000;
const halfSecondMs = 500;

let aheadMs = 0;

/** The daemon's time, once it has been asked for; until then, that of this machine. */
export const daemonNow = (): Date => new Date(Date.now() + aheadMs);

const relativeShape = /^\s*([a-z]+:)?(now|(in )?(\d+ ?[a-z]+ ?)+( ago)?)\s*$/i;
/** True if one of the typed texts may be a time counted from now. */
export const hasRelativeTime = (typed: Iterable<unknown>): boolean =>
  [...typed].flat().some((one) => typeof one === 'string' && relativeShape.test(one));

/** Asks the daemon for its time. Where nothing answers, the clock of this machine stays in use. */
export async function askForTime(baseUrl: string): Promise<void> {
  const before = Date.now();
  const url = `${baseUrl.replace(/\/$/, '')}/health/live`;
  const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(patienceMs) }).catch(() => null);
  const stated = Date.parse(answer?.headers.get('Date') ?? '');
  const difference = stated + halfSecondMs - (before + Date.now()) / 2;
  aheadMs = Math.abs(difference) >= differenceMinMs ? difference : 0;
}
