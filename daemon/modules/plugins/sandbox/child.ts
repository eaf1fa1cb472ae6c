/**
 * One process that runs code of plugins, from its start to its end. The daemon judges whether it hangs: code that
 * computes too long inside the engine does not notice its own limit.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import type { Logger } from '../../../platform/observability/logger.js';
import { packageFile, packageFolder, programFile } from '../../../platform/package.js';
import { type OnFault, WatchedProcess } from '../../../platform/processes/watched-process.js';
import { startMs, type TimeLimits } from './limits.js';
import { type SandboxDownFrame, SandboxUpFrame } from './protocol.js';

/**
 * How a run ended. `lost`: the process ended, because of this run (`guilty`) or of another. `late`: its time was over,
 * and by then it was computing or waiting for an answer (`busy`), or others kept it from that.
 */
export type Ending =
  | { readonly kind: 'done'; readonly output: string; readonly printed: readonly string[] }
  | { readonly kind: 'failed'; readonly error: string; readonly printed: readonly string[] }
  | { readonly kind: 'late'; readonly busy: boolean }
  | { readonly kind: 'lost'; readonly guilty: boolean; readonly reason: string };

/** A run that was handed over. */
export interface Begun {
  /** Resolves when the run has ended, whatever happens. */
  readonly ending: Promise<Ending>;
  /** Resolves when it leaves the process to others for the first time: it waits for an answer, or has ended. */
  readonly paused: Promise<void>;
}

/** Serves one run from outside of the process. */
interface RunHost {
  readonly fetch: (request: string) => Promise<string>;
  /** Called when the code begins to compute. */
  readonly onStart: () => void;
}

interface RunningCode extends RunHost {
  readonly pause: () => void;
  readonly end: (ending: Ending) => void;
  /** Answers that it waits for. */
  fetching: number;
  hasStarted: boolean;
}

/** Node's own fence, under the name that this version knows. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';
const heapMiB = 128;

/** The program and the packages that it needs; nothing of the data folder, which may be beside them. */
function ownFiles(): string[] {
  const engine = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync');
  const packages = engine.slice(0, engine.lastIndexOf('node_modules') + 'node_modules'.length) + sep;
  // Node 20 does not start where a path is named twice, so one that lies in another is left out.
  const isInside = packageFile.startsWith(packages);
  return [`${packages}*`, ...(isInside ? [] : [packageFile, join(packageFolder, 'dist', '*')])];
}

export class SandboxChild {
  private readonly child: ChildProcess;
  private readonly watched: WatchedProcess;
  private readonly running = new Map<number, RunningCode>();
  private readonly waiting: SandboxDownFrame[] = [];
  private computing: number | null = null;
  private watch: NodeJS.Timeout;
  private isReady = false;
  private reason = 'its process ended';
  private nextId = 1;
  isOver = false;

  constructor(
    private readonly log: Logger,
    private readonly limits: TimeLimits,
    onFault: OnFault,
  ) {
    const program = programFile('modules/plugins/sandbox/process');
    const mayRead = ownFiles().map((path) => `--allow-fs-read=${path}`);
    this.child = fork(program, [String(limits.computingMs)], {
      env: {},
      execArgv: ['--no-warnings', `--max-old-space-size=${heapMiB}`, permission, ...mayRead],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.watched = new WatchedProcess(this.child, onFault);
    this.watch = setTimeout(() => this.kill('its process did not start'), startMs);
    this.child.on('message', (message) => this.receive(message));
    this.child.once('exit', () => this.over());
    this.child.on('error', (error) => {
      this.log.warn({ err: error }, 'the plugin process could not be reached');
      if (this.child.pid === undefined) this.over();
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  run(code: string, input: string, host: RunHost, signal: AbortSignal): Begun {
    const id = this.nextId++;
    let pause = (): void => {};
    const paused = new Promise<void>((resolve) => {
      pause = resolve;
    });
    const ending = new Promise<Ending>((resolve) => {
      const giveUp = (): void => {
        this.send({ kind: 'drop', id });
        end({ kind: 'late', busy: this.computing === id || one.fetching > 0 });
      };
      const end = (ending: Ending): void => {
        signal.removeEventListener('abort', giveUp); // the signal outlives the run, and must not keep its input
        pause();
        if (this.running.delete(id)) resolve(ending);
      };
      const one: RunningCode = { ...host, pause, end, fetching: 0, hasStarted: false };
      this.running.set(id, one);
      signal.addEventListener('abort', giveUp);
      if (this.isOver) return end({ kind: 'lost', guilty: false, reason: this.reason });
      this.send({ kind: 'run', id, code, input });
    });
    return { ending, paused };
  }

  /** Ends a process that went wrong; its runs end for that reason. */
  kill(reason: string): void {
    this.reason = reason;
    this.watched.kill(reason);
  }

  /** Ends a process that is not needed any more. */
  dismiss(reason: string): void {
    this.reason = reason;
    this.watched.kill(null);
  }

  private send(frame: SandboxDownFrame): void {
    if (!this.isReady) {
      this.waiting.push(frame);
      return;
    }
    // Without a callback a broken channel would be an `error` event.
    if (this.child.connected) this.child.send(frame, () => undefined);
  }

  private receive(message: unknown): void {
    const parsed = SandboxUpFrame.safeParse(message);
    if (parsed.success) this.onFrame(parsed.data);
    else this.kill('it sent an unreadable message');
  }

  private onFrame(frame: SandboxUpFrame): void {
    if (frame.kind === 'ready') this.begin();
    else if (frame.kind === 'computing') this.watchOver(frame.id);
    else if (frame.kind === 'fetch') void this.fetch(frame.id, frame.call, frame.request);
    else this.running.get(frame.id)?.end(frame);
  }

  private begin(): void {
    clearTimeout(this.watch);
    this.isReady = true;
    for (const frame of this.waiting.splice(0)) this.send(frame);
  }

  private watchOver(id: number | null): void {
    clearTimeout(this.watch);
    this.computing = id;
    const run = this.running.get(id ?? 0);
    if (run?.hasStarted === false) {
      run.hasStarted = true;
      run.onStart();
    }
    const { hangMs } = this.limits;
    if (id !== null) this.watch = setTimeout(() => this.kill(`it ran for longer than ${hangMs / 1_000} s`), hangMs);
  }

  private async fetch(id: number, call: number, request: string): Promise<void> {
    const run = this.running.get(id);
    if (run === undefined) return;
    run.fetching += 1;
    run.pause();
    const answer = await run.fetch(request);
    run.fetching -= 1;
    this.send({ kind: 'fetched', id, call, answer });
  }

  private over(): void {
    this.isOver = true;
    clearTimeout(this.watch);
    for (const [id, { end }] of this.running) end({ kind: 'lost', guilty: id === this.computing, reason: this.reason });
  }
}
