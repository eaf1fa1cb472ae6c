/** The command of `earshotd exec`, in a process group of its own, so that whatever it starts ends with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { printError } from '../../src/terminal/terminal.js';
import { endGroup, signalGroup } from './process-group.js';

/** Exit codes as shells use them. */
const notFound = 127;
const notExecutable = 126;
const signalBase = 128;
/** How long the command may take to end after a signal, before it is killed. */
const commandGraceMs = 5_000;
/** One ctrl-c may arrive from several sides; a signal that comes later means "now". */
const sameSignalMs = 500;

export const codeOfSignal = (signal: NodeJS.Signals): number => signalBase + constants.signals[signal];

/** The signals that end exec. */
export class EndSignals {
  first: NodeJS.Signals | null = null;
  private firstAt = 0;
  /** Receives each signal, and whether it is a later one. */
  listener: (signal: NodeJS.Signals, insists: boolean) => void = () => {};

  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.onSignal(signal));
  }

  private onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    if (this.first !== null && now - this.firstAt < sameSignalMs) return;
    const insists = this.first !== null;
    this.first ??= signal;
    this.firstAt = now;
    this.listener(signal, insists);
  }
}

interface GroupOptions {
  readonly env: NodeJS.ProcessEnv;
  /** File mode mask of the command; the daemon's own is stricter. */
  readonly umask: number;
  readonly signals: EndSignals;
  /** Called with the process group when the command starts, and with null once it has ended. */
  readonly onGroup: (group: number | null) => void;
}

/** Runs it to its end and returns its exit code; 128 plus the signal number when a signal ended it. */
export async function runCommand(command: readonly string[], options: GroupOptions): Promise<number> {
  const { signals, onGroup } = options;
  const child = start(command, options);
  const ended = codeOf(child, command[0] ?? '');
  const { pid: group } = child;
  if (group === undefined) return ended;
  onGroup(group);
  let timer: NodeJS.Timeout | null = null;
  signals.listener = (signal, insists) => {
    signalGroup(group, insists ? 'SIGKILL' : signal);
    timer ??= setTimeout(() => signalGroup(group, 'SIGKILL'), commandGraceMs);
  };
  const code = await ended;
  if (timer !== null) clearTimeout(timer);
  await endGroup(group, 'SIGTERM'); // what it left running in the background
  onGroup(null);
  return code;
}

function start([program = '', ...args]: readonly string[], { env, umask }: GroupOptions): ChildProcess {
  const own = process.umask(umask);
  try {
    return spawn(program, args, { stdio: 'inherit', env, detached: true });
  } finally {
    process.umask(own);
  }
}

function codeOf(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT';
      const reason = isMissing ? 'there is no such command' : `it cannot be run (${error.code ?? error.message})`;
      printError(`earshotd exec: ${program}: ${reason}.`);
      resolve(isMissing ? notFound : notExecutable);
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? signalBase : codeOfSignal(signal))));
  });
}
