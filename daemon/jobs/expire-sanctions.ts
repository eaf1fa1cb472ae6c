/**
 * Puts sanctions into force whose start has come, and announces those whose end has. What is due is read from the table,
 * so neither restarts nor clock jumps lose one.
 */
import type { Logger } from '../observability/logger.js';
import { Repeat } from './repeat.js';

export interface ExpiringSanctions {
  /** Puts into force what was issued ahead of its time. */
  beginDue(): Promise<void>;
  /** Handles up to `batchSize` that are due; returns how many there were. */
  expireDue(batchSize: number): Promise<number>;
}

const everyMs = 1_000;
const batchSize = 500;

export const expireSanctions = (sanctions: ExpiringSanctions, log: Logger): Repeat =>
  new Repeat(
    'expire-sanctions',
    everyMs,
    async () => {
      await sanctions.beginDue();
      while ((await sanctions.expireDue(batchSize)) === batchSize);
    },
    log,
  );
