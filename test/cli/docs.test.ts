/** docs/cli is what the commands say of themselves. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('describes every command as it is', () => {
  execFileSync(process.execPath, ['bin/cli-docs.mjs', '--check'], { cwd: root, stdio: 'pipe' });
});
