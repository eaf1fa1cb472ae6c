/** ZIP archives, which only their owner may read once they are unpacked. */
import { zipSync } from 'fflate';

export interface ZippedFile {
  /** With `/` between folders. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

const unix = 3;
/** Regular file that its owner may read and write, as Unix keeps it in the upper half. */
const ownerOnly = (0o100600 << 16) >>> 0;

export const zipOf = (files: readonly ZippedFile[], at: Date): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ name, content }) => [name, Buffer.from(content)])), {
    mtime: at,
    os: unix,
    attrs: ownerOnly,
  });
