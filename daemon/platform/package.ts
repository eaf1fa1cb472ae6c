/** Folder of the package, and the programs in it that the daemon starts beside itself. */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const packageFile = createRequire(import.meta.url).resolve('#package');
export const packageFolder = dirname(packageFile);

const bundle = join(packageFolder, 'dist', 'earshotd');
const isBundled = fileURLToPath(import.meta.url).startsWith(`${bundle}${sep}`);

/** The file of a program or thread by its source in `daemon/`: in the bundle, else as the compiler made it. */
export const programFile = (source: string): string =>
  isBundled ? join(bundle, `${source}.cjs`) : join(packageFolder, 'dist', 'daemon', `${source}.js`);
