/** The heap of another Node.js process, read through its inspector. The process must be started with `inspected`. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { eventually } from './eventually.js';

/** Option of Node.js: an inspector on a free port. Its address appears on stderr. */
export const inspected = '--inspect=127.0.0.1:0';
export const mebibyte = 1024 ** 2;

/** Finalisers run after a collection and free more; code that does not run is dropped after several. */
const collections = 8;
const settleMs = 50;

const Answer = z.object({ id: z.int(), result: z.object({ result: z.object({ value: z.number() }).optional() }) });

/** Compiled code is left out: it comes and goes with what the process happens to run. */
const survivors = `require('node:v8').getHeapSpaceStatistics()
  .filter(({ space_name: name }) => name === 'old_space' || name === 'large_object_space')
  .reduce((sum, { space_used_size: used }) => sum + used, 0)`;

export class Heap {
  private nextId = 1;

  private constructor(private readonly inspector: WebSocket) {}

  /** @param printed the lines that the process has printed on stderr so far */
  static async of(printed: readonly string[]): Promise<Heap> {
    const url = await eventually(() => {
      const found = printed.flatMap((line) => /Debugger listening on (ws:\S+)/.exec(line)?.[1] ?? []).at(-1);
      if (found === undefined) throw new Error('The process has no inspector.');
      return found;
    });
    const inspector = new WebSocket(url);
    await once(inspector, 'open');
    return new Heap(inspector);
  }

  /** Bytes of old space after collections. */
  async oldSpace(): Promise<number> {
    for (let collection = 0; collection < collections; collection += 1) {
      await this.ask('HeapProfiler.collectGarbage');
      await sleep(settleMs);
    }
    return this.evaluate(survivors);
  }

  /** Writes a snapshot of the heap to a file. */
  async writeSnapshot(path: string): Promise<void> {
    await this.evaluate(`require('node:v8').writeHeapSnapshot(${JSON.stringify(path)}).length`);
  }

  close(): void {
    this.inspector.terminate();
  }

  private async evaluate(expression: string): Promise<number> {
    const { result } = await this.ask('Runtime.evaluate', { expression, includeCommandLineAPI: true });
    if (result === undefined) throw new Error(`The inspector has no value of ${expression}.`);
    return result.value;
  }

  private async ask(method: string, params: object = {}): Promise<z.output<typeof Answer>['result']> {
    const id = this.nextId++;
    const answer = new Promise<z.output<typeof Answer>['result']>((resolve, reject) => {
      const listen = (data: Buffer): void => {
        const message: unknown = JSON.parse(data.toString());
        if (typeof message !== 'object' || message === null || !('id' in message) || message.id !== id) return;
        this.inspector.off('message', listen);
        const parsed = Answer.safeParse(message);
        if (parsed.success) resolve(parsed.data.result);
        else reject(new Error(`${method}: ${data.toString()}`));
      };
      this.inspector.on('message', listen);
    });
    this.inspector.send(JSON.stringify({ id, method, params }));
    return answer;
  }
}
