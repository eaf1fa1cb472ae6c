/** How far `earshotd` lets V8's space for older objects grow before it collects them. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { programEnvironment } from '../support/program-environment.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Begins the program, or nothing; then each of many objects stays for long enough to become an older one, and is dropped. */
const script = (begin: string) => `
  ${begin}
  const used = () => process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 400_000 }, (_, index) => ({ index, text: 'text ' + index }));
  gc(); // V8 sets the growth at each collection
  const before = used();
  let peak = 0;
  const waiting = [];
  for (let made = 0; made < 3_000_000; made += 1) {
    waiting.push({ made, more: [made] });
    if (waiting.length > 200_000) waiting.splice(0, 100_000);
    if (made % 20_000 === 0) peak = Math.max(peak, used());
  }
  process.stderr.write(String(kept.length && peak / before));
  process.exit();
`;
const growthOf = (begin: string): number => {
  const run = [process.execPath, '--expose-gc', '-e', script(begin)];
  // What the program prints is left out.
  return Number(execFileSync('sh', ['-c', 'exec "$@" 2>&1 >/dev/null', 'sh', ...run], { env: programEnvironment }));
};

it('is less than half of what it is without the program, where many objects become older ones', {
  timeout: 120_000,
}, () => {
  const argv = JSON.stringify(['node', 'earshotd', 'config', 'defaults']);
  const program = `require(${JSON.stringify(`${root}dist/start/earshotd.cjs`)}).start(${argv}, ${JSON.stringify(root)});`;
  expect(growthOf(program) - 1).toBeLessThan((growthOf('') - 1) / 2);
});
