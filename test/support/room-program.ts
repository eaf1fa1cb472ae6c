/** The room process as the daemon forks it, but with an inspector, so that its heap can be read. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type ProcessCall, UpFrame } from '../../daemon/modules/rooms/embedded/protocol.js';
import { programFile } from '../../daemon/platform/package.js';
import { Heap, inspected } from './heap.js';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class RoomProgram {
  /** Resolves with the exit of the process. */
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private readonly printed: string[] = [];
  private readonly waiting = new Map<number, (frame: UpFrame) => void>();
  private nextId = 1;

  constructor() {
    this.child = fork(programFile('modules/rooms/embedded/process'), ['0', '127.0.0.1', ''], {
      serialization: 'advanced',
      env: {},
      execArgv: [inspected],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (this.child.stderr === null) throw new Error('The process has no stderr.');
    createInterface({ input: this.child.stderr }).on('line', (line) => this.printed.push(line));
    this.ended = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
    this.child.on('message', (message) => {
      const frame = UpFrame.parse(message);
      if (frame.kind === 'reply' || frame.kind === 'refusal') this.waiting.get(frame.id)?.(frame);
    });
  }

  heap = (): Promise<Heap> => Heap.of(this.printed);

  /** Throws what the process refuses with. */
  async call<Request, Result>({ name, result }: ProcessCall<Request, Result>, request: Request): Promise<Result> {
    const id = this.nextId++;
    const frame = await new Promise<UpFrame>((resolve) => {
      this.waiting.set(id, resolve);
      this.child.send({ id, name, request });
    });
    this.waiting.delete(id);
    if (frame.kind !== 'reply') throw new Error(`${name}: ${JSON.stringify(frame)}`);
    return result.parse(frame.result);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
