/** Parts that are started in order and stopped in the reverse order, under one deadline. */
import type { Logger } from '../observability/logger.js';
import type { Deadline } from './deadline.js';

export interface Part {
  readonly name: string;
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

/** Parts in a list of their own stop at the same time, because each may have to wait for somebody outside. */
export type Parts = readonly (Part | readonly Part[])[];

/** Anything that starts and stops, as a part. */
export const part = (name: string, one: Required<Omit<Part, 'name'>>): Part => ({
  name,
  start: () => one.start(),
  stop: () => one.stop(),
});

export class Lifecycle {
  private readonly running: Part[][] = [];

  constructor(private readonly log: Logger) {}

  /** When a part does not start, those before it are running: the caller must call `stop`. */
  async start(parts: Parts): Promise<void> {
    for (const group of parts) {
      const started: Part[] = [];
      this.running.push(started);
      for (const one of [group].flat()) {
        await one.start?.();
        started.push(one);
      }
    }
  }

  /** Every part is asked to stop; parts that have not by the deadline are abandoned. */
  async stop(deadline: Deadline): Promise<void> {
    for (let group = this.running.pop(); group !== undefined; group = this.running.pop())
      await Promise.all(group.map((one) => this.end(one, deadline)));
  }

  private async end(one: Part, deadline: Deadline): Promise<void> {
    const { name } = one;
    const stopped = Promise.resolve()
      .then(() => one.stop?.())
      .catch((error: unknown) => this.log.error({ err: error, part: name }, 'a part did not stop'));
    if (!(await deadline.met(stopped))) this.log.warn({ part: name }, 'a part took too long to stop');
  }
}
