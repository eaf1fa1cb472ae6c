/** Runs `earshotd` as an operator types it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './program-environment.js';

const program = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
const patienceMs = 120_000;

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `earshotd` on the data folder, in an environment without other settings of Earshot. */
export function earshotd(
  dataDir: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  const environment = { ...programEnvironment, EARSHOT_DATA_DIR: dataDir, ...env };
  return new Promise((resolve) => {
    const options = { env: environment, timeout: patienceMs };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
    });
    child.stdin?.on('error', () => {}); // a program that refuses at once does not read
    child.stdin?.end(input);
  });
}
