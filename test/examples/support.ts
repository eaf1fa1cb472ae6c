/** Runs an example as whoever copied it does: a process of its own, told everything by its environment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
export const textOf = (name: string): string => readFileSync(join(examples, name), 'utf8');
export const names = readdirSync(examples, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(examples.length));

export interface Running {
  /** Output so far, both channels. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

export function run(name: string, env: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [join(examples, name)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const channel of [child.stdout, child.stderr])
    createInterface({ input: channel }).on('line', (line) => lines.push(line));
  return {
    lines,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
