/** Parts that are started in order and stopped in the reverse order, under one deadline. */
import type { Logger } from './observability/logger.js';

export interface Part {
  readonly name: string;
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

/** Anything with a lifetime, as a part. */
export const part = (name: string, one: Required<Omit<Part, 'name'>>): Part => ({
  name,
  start: () => one.start(),
  stop: () => one.stop(),
});

/** Everything has ended by then, or is left behind. */
export const stopDeadlineMs = 5_000;

export class Lifecycle {
  private readonly running: Part[] = [];

  constructor(private readonly log: Logger) {}

  /** When a part does not start, those before it are stopped again. */
  async start(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      try {
        await part.start?.();
      } catch (error) {
        await this.stop();
        throw error;
      }
      this.running.push(part);
    }
  }

  async stop(): Promise<void> {
    const deadline = new Promise<'late'>((resolve) => setTimeout(resolve, stopDeadlineMs, 'late').unref());
    for (let part = this.running.pop(); part !== undefined; part = this.running.pop()) {
      const { name } = part;
      const stopped = Promise.resolve(part.stop?.()).catch((error: unknown) =>
        this.log.error({ err: error, part: name }, 'a part did not stop'),
      );
      if ((await Promise.race([stopped, deadline])) === 'late')
        this.log.warn({ part: name }, 'a part took too long to stop');
    }
  }
}
