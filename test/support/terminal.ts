/** A command on a terminal of its own (the program `script` makes one): what it shows, and somebody who types. */
import { spawn, spawnSync } from 'node:child_process';
import { eventually } from './eventually.js';
import { programEnvironment } from './program-environment.js';

export const hasTerminal = spawnSync('script', ['--version']).status === 0;

export interface Terminal {
  /** Everything that has come onto the screen. */
  readonly shown: string;
  /** Waits for the text, which must come after what was typed last; then types. */
  answer(question: string, keys: string): Promise<void>;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
}

/** @param command as a shell reads it */
export function onTerminal(command: string, env: Readonly<Record<string, string>>): Terminal {
  const environment = { ...programEnvironment, TERM: 'xterm', ...env };
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const terminal = { shown: '', typedAt: 0 };
  child.stdout.on('data', (chunk) => {
    terminal.shown += String(chunk);
  });
  return {
    get shown() {
      return terminal.shown;
    },
    async answer(question, keys) {
      await eventually(() => {
        if (!terminal.shown.slice(terminal.typedAt).includes(question))
          throw new Error(`"${question}" was not asked: ${terminal.shown}`);
      });
      terminal.typedAt = terminal.shown.length;
      child.stdin.write(keys);
    },
    ended: new Promise((resolve) => child.once('exit', resolve)),
  };
}
