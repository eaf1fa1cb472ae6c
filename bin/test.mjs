/**
 * `npm test`: set-up where it is needed, then every suite. Arguments go to vitest, so `npm run torture -- hostile` runs
 * every attack at full scale. At the end, a table shows how other clients fared during the attacks.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { healthTable } from './health-table.mjs';
import { build, install, root } from './set-up.mjs';

install();
build();
const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
const health = join(folder, 'health.jsonl');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
// At full scale suites run one after the other, because they measure what one client costs the others.
const alone = process.env.EARSHOT_TORTURE === '1' ? ['--no-file-parallelism'] : [];
const { status } = spawnSync(process.execPath, [vitest, 'run', ...alone, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { EARSHOT_TEST_BUILT: '1', ...process.env, EARSHOT_HEALTH_FILE: health },
});
process.stdout.write(healthTable(health));
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
