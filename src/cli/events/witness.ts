/** Watches a stream while a command runs, and judges what was seen: the CI part of `listen --expect`. */
import { spawn } from 'node:child_process';
import type { EarshotClient } from '../../client/earshot-client.js';
import { EventStream } from '../../client/event-stream.js';
import type { EventStreamOptions } from '../../client/stream-notice.js';
import type { DomainEvent } from '../../contract/events.js';
import { interrupted } from '../../terminal/interruption.js';
import { UsageError } from '../../terminal/usage-error.js';
import { isSettled, judge, type Wanted } from './expectation.js';

interface Seen {
  readonly event: DomainEvent;
  /** Seconds since the watch began. */
  readonly seconds: number;
}

export interface JudgedExpectation extends Wanted {
  /** open: the whole was lost before this one could be judged. */
  readonly outcome: 'met' | 'missing' | 'surplus' | 'open';
  readonly seen: readonly Seen[];
}

export interface WitnessReport {
  readonly findings: readonly JudgedExpectation[];
  /** Everything that came, whether it was expected or not; of very much the first. */
  readonly arrived: readonly Seen[];
  /** All that came, by type. */
  readonly counts: ReadonlyMap<string, number>;
  /** Exit code of the command; 0 when there was none. */
  readonly exitCode: number;
  /** The daemon no longer kept some of the events, so the result is not certain. */
  readonly gap: boolean;
  /** The stream was lost when the time was over, so that nothing proves that no more events came. */
  readonly isCut: boolean;
  readonly seconds: number;
}

interface Watch {
  readonly wanted: readonly Wanted[];
  readonly withinMs: number;
  /** Empty: only watch. The time limit begins when the command has ended. */
  readonly command: readonly string[];
  /** Descriptor that the command's own output goes to. */
  readonly output: 1 | 2;
  readonly onEvent: (event: DomainEvent) => void;
}

const arrivedMax = 1_000;

/**
 * Opens the stream before the command starts, at the first attempt; one that is lost later is opened again. Throws ApiError,
 * DaemonUnreachable; UsageError when the command cannot be started.
 */
export async function witness(
  client: EarshotClient,
  options: EventStreamOptions,
  watch: Watch,
): Promise<WitnessReport> {
  const { wanted, withinMs, command, output, onEvent } = watch;
  const stream = new EventStream(client, options);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const findings = wanted.map((one) => ({ ...one, seen: [] as Seen[] }));
  let running = false;
  let exitCode: number | null = null;
  let failure: unknown = null;
  let gap = false;
  let isConnected = false;
  let timer: NodeJS.Timeout | undefined;
  const arrived: Seen[] = [];
  const counts = new Map<string, number>();
  // Nothing is certain before the command has ended: its own failure counts too. Then one that fails decides the whole.
  const isLost = () => exitCode !== 0 || gap || findings.some((one) => judge(one, one.seen.length) === 'surplus');
  let isOver = false;
  const settle = () => {
    if (exitCode === null || !(isLost() || findings.every((one) => isSettled(one, one.seen.length)))) return;
    isOver = true;
    stream.close();
  };
  const commandEnded = (code: number) => {
    exitCode = code;
    timer = setTimeout(() => stream.close(), withinMs);
    settle();
  };
  const commandFailed = (error: unknown) => {
    failure = error;
    stream.close();
  };
  for await (const notice of stream) {
    if (notice.kind === 'lost' && !running) throw notice.error;
    if (notice.kind === 'gap') {
      gap = true;
      settle();
    }
    if (notice.kind === 'connected' || notice.kind === 'lost') isConnected = notice.kind === 'connected';
    if (notice.kind === 'connected' && !running) {
      running = true;
      run(command, output).then(commandEnded, commandFailed);
    }
    if (notice.kind !== 'event') continue;
    const { event } = notice;
    onEvent(event);
    const one = { event, seconds: seconds() };
    if (arrived.length < arrivedMax) arrived.push(one);
    counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
    for (const { expectation, seen } of findings) if (expectation.matches(event)) seen.push(one);
    settle();
  }
  clearTimeout(timer);
  if (failure !== null) throw failure;
  return {
    findings: findings.map((one) => {
      const outcome = judge(one, one.seen.length);
      const early = isOver && outcome === 'missing';
      return { ...one, outcome: early ? 'open' : outcome };
    }),
    ...{ arrived, counts },
    exitCode: exitCode ?? 0,
    gap,
    isCut: !isConnected,
    seconds: seconds(),
  };
}

/** How long the command may take to end once it is told to, in milliseconds. */
const graceMs = 5_000;
const endings = { SIGTERM: 143, SIGHUP: 129, SIGINT: interrupted } as const;

/** The exit code; 1 when a signal ended it. A signal that ends this process ends the command first. */
async function run([program, ...args]: readonly string[], output: 1 | 2): Promise<number> {
  if (program === undefined) return 0;
  const child = spawn(program, args, { stdio: ['inherit', output, 'inherit'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (cause) => reject(new UsageError(`${program} cannot be run: ${cause.message}.`, { cause })));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  const handlers = Object.entries(endings).map(([name, exitCode]) => {
    const signal = name as keyof typeof endings;
    const handle = () => {
      child.kill(signal);
      setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
      const exit = () => process.exit(exitCode);
      ended.then(exit, exit);
    };
    process.prependOnceListener(signal, handle);
    return { signal, handle };
  });
  return ended.finally(() => {
    for (const { signal, handle } of handlers) process.off(signal, handle);
  });
}
