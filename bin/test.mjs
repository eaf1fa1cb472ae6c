/**
 * `npm test`: set-up where it is needed, then the suites that a change should pass first; `npm run test:long`: the others;
 * `npm run test:postgresql`: those that also run on the other database; `npm run test:all`: every suite.
 * Arguments go to vitest, and suites that they name run in any case: `npm run torture -- hostile` runs every attack at full
 * scale. At the end, a table shows how other clients fared during the attacks.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { healthTable } from './health-table.mjs';
import { build, install, root } from './set-up.mjs';

const memory = '/dev/shm';
const memoryMin = 4 * 1024 ** 3;
const isTorture = process.env.EARSHOT_TORTURE === '1';

/**
 * Makes the folder that the suites write to: in memory where there is room and programs may run from it, because each
 * commit would wait for the disk. At full scale on the disk, as users have it.
 */
function makeFolder() {
  const onDisk = () => mkdtempSync(join(tmpdir(), 'earshot-test-'));
  if (process.platform !== 'linux' || isTorture || process.env.TMPDIR) return onDisk();
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < memoryMin) return onDisk();
    const inMemory = mkdtempSync(join(memory, 'earshot-test-'));
    const program = join(inMemory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    if (spawnSync(program).status === 0) return inMemory;
    rmSync(inMemory, { recursive: true, force: true });
    return onDisk();
  } catch {
    return onDisk();
  }
}

install({ tools: true });
build(root, { library: true });
const folder = makeFolder();
chmodSync(folder, 0o755); // some of the programs that suites start run as a user of their own
const health = join(folder, 'health.jsonl');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
// At full scale suites run one after the other, because they measure what one client costs the others.
const alone = isTorture ? ['--no-file-parallelism'] : [];
const given = process.argv.slice(2);
const areNamed = given.some((one) => !one.startsWith('-'));
const suites = spawn(process.execPath, [vitest, 'run', ...alone, ...given], {
  cwd: root,
  stdio: 'inherit',
  env: {
    EARSHOT_TEST_BUILT: '1',
    EARSHOT_TEST_SUITES: isTorture || areNamed ? 'all' : 'short',
    ...process.env,
    TMPDIR: folder,
    EARSHOT_HEALTH_FILE: health,
  },
});
// Signals end the suites, and the folder is removed after them; ctrl-c reaches them by itself.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => suites.kill(signal));
const [status] = await once(suites, 'exit');
process.stdout.write(healthTable(health));
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(status ?? 1);
