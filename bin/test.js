/** `npm test`: set-up where it is needed, then every suite. Arguments go to vitest. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, root } from './set-up.js';

install();
build();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
