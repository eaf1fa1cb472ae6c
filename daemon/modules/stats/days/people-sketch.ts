/**
 * How many different people there were, without knowing who: a HyperLogLog sketch (Flajolet et al., 2007) whose registers are
 * counts of a month. A register keeps its maximum, so counting an event twice changes nothing.
 */
import { createHash } from 'node:crypto';

const indexBits = 12;
const registers = 2 ** indexBits;
/** Bias correction of the estimate for this many registers. */
const alpha = 0.7213 / (1 + 1.079 / registers);

/** Kind of the counts that are registers; they are joined by their maximum, not their sum. */
export const activePeople = 'active.people';

/** The register of a person, and what it is at least. */
export function registerOf(
  projectId: string,
  externalUserId: string,
): { readonly key: string; readonly count: number } {
  const hash = createHash('sha256')
    .update(JSON.stringify([projectId, externalUserId]))
    .digest();
  const bits = hash.readBigUInt64BE(8);
  let rank = 1;
  while (rank < 64 && (bits & (1n << BigInt(64 - rank))) === 0n) rank += 1;
  return { key: String(hash.readUInt16BE(0) % registers), count: rank };
}

/** Returns the number of different people of these registers, within about 2 %; small numbers nearly exactly. */
export function peopleIn(ranks: readonly number[]): number {
  const empty = registers - ranks.length;
  const sum = ranks.reduce((total, rank) => total + 2 ** -rank, empty);
  const estimate = (alpha * registers ** 2) / sum;
  return Math.round(estimate <= 2.5 * registers && empty > 0 ? registers * Math.log(registers / empty) : estimate);
}
