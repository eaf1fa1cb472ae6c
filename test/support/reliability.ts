/** Lines for docs/reliability.md: bin/torture.mjs names the file and shows how far each part is; bin/reliability.mjs makes the page. */
import { appendFileSync } from 'node:fs';

export interface Proof {
  /** Key of the promise in bin/reliability.mjs. */
  readonly promise: string;
  /** Number of trials. */
  readonly count: number;
  /** null: nothing is chosen by chance. */
  readonly seed: number | null;
  /** Worst that was seen, as the page says it. */
  readonly worst: string;
  /** Rows of a table of its own, the first with its headings. */
  readonly table?: readonly (readonly string[])[];
}

const file = process.env.EARSHOT_RELIABILITY_FILE;
const append = (line: object): void => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
};

/** Call it where everything that the promise says has been asserted. */
export function recordProof(proof: Proof): void {
  console.info(`${proof.promise}: ${proof.count}, worst: ${proof.worst}`);
  append({ kind: 'proof', at: new Date().toISOString(), ...proof });
}

/** `part`: as in bin/torture.mjs. */
export const recordProgress = (part: string, done: number, whole: number): void =>
  append({ kind: 'progress', part, done, whole });
