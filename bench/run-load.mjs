// Runs load in a process of its own, so that it does not share a thread with the bench.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('load.mjs', import.meta.url));
const execute = promisify(execFile);

/**
 * @param load `url`, `connections`, `seconds`, `kind` (`get`, or which bodies are sent), and a `key` or player `tokens`
 * @returns `by`, `perSecond`, `total`, `totalWithWarmUp`, `p50`, `p99`, `failed`
 */
export async function runLoad(load) {
  const running = execute(process.execPath, [program]);
  running.child.stdin.end(JSON.stringify(load));
  return JSON.parse((await running).stdout);
}
