/** Environment of every program that a test starts, besides the variables of the test. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const caches = fileURLToPath(new URL('../.cache/programs', import.meta.url));
mkdirSync(caches, { recursive: true });

/** The programs keep what was compiled of them, as they do for their users: it saves a fourth of each start. */
export const programEnvironment = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: caches };
