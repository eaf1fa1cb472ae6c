/**
 * `npm run fuzz -- TARGET --minutes 10`: looks for inputs that break a parser. Without a target it names them all. Inputs that
 * reach new code are kept in test/fuzz/corpus; one that breaks an invariant ends the run.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});

// One file of our own code, so that V8's coverage tells it from packages.
const file = join(root, `test/.cache/fuzz/${process.pid}.mjs`);
await build({
  cwd: root,
  input: 'test/fuzz/engine/main.ts',
  platform: 'node',
  external: /^[^./]/,
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: { file, format: 'es', codeSplitting: false },
  logLevel: 'warn',
});
const corpora = join(root, 'test/fuzz/corpus');
const args = positionals.length === 0 ? [] : [positionals[0], values.minutes, values.seed, corpora];
const { status } = spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' });
rmSync(file, { force: true });
process.exit(status ?? 1);
