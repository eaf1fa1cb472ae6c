import { writeFileSync } from 'node:fs';
import { Refused } from '../platform/refused.js';

/** Writes a file that only its owner may read. Throws Refused where there is one already. */
export function writeNew(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Refused(`${path} is there already. Name another file.`);
  }
}
