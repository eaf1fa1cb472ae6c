/** A process of the daemon that does one piece of work with SQLite, which hears nothing meanwhile, and says what went wrong. */
import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { programFile } from '../package.js';

const Ended = z.object({ problem: z.string().nullable() });

interface Working {
  readonly child: ChildProcess;
  /** Resolves with what went wrong; null: nothing. */
  readonly ended: Promise<string | null>;
}

/** @param order first message to the process; undefined: it waits for none */
export function workInProcess(source: string, args: readonly string[], order?: object): Working {
  const child = fork(programFile(source), args, {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<string | null>((resolve) => {
    child.once('message', (message) => {
      resolve(Ended.parse(message).problem);
      child.disconnect();
    });
    child.on('error', (error) => resolve(error.message)); // more than one comes where the machine makes no process
    child.once('exit', () => resolve('It was cut off before it was done.'));
    if (order !== undefined) child.send(order);
  });
  return { child, ended };
}
