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

/** Begins a command line whose program sees no process of this machine, as in a container. */
export const inNamespace = ['unshare', '--pid', '--fork', '--mount-proc'] as const;

/** Runs `earshotd` on the data folder, in an environment without other settings of Earshot. */
export function earshotd(
  dataDir: string,
  args: readonly string[],
  {
    input = '',
    env = {},
    through = [],
  }: { input?: string; env?: Readonly<Record<string, string>>; through?: readonly string[] } = {},
): Promise<Ended> {
  const environment = { ...programEnvironment, EARSHOT_DATA_DIR: dataDir, ...env };
  return new Promise((resolve) => {
    const options = { env: environment, timeout: patienceMs };
    const [file = '', ...rest] = [...through, process.execPath, program, ...args];
    const child = execFile(file, rest, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
    });
    child.stdin?.on('error', () => {}); // a program that refuses at once does not read
    child.stdin?.end(input);
  });
}
