/**
 * Streams rows as lines of JSON, a page at a time: the next one when the client has read what was written and others
 * have had their turn. An answer is short, so credentials are checked again for each part of an export, and nothing is
 * kept for a client that is gone.
 */
import type { ServerResponse } from 'node:http';
import type { ExportEnd } from '../../../src/contract/common.js';
import { limits } from '../limits/catalogue.js';
import { ConcurrencyLimit } from '../limits/concurrency-limit.js';
import { FairTurns } from '../limits/fair-turns.js';
import { drained } from './drained.js';

/** How long one answer goes on. */
const answerMs = 10_000;

export interface ExportAnswer {
  readonly tenantId: string;
  /** Most rows of the answer. */
  readonly limit: number;
  readonly response: ServerResponse;
  /** Only the head of the answer is asked for. */
  readonly isHead: boolean;
}

/** Some rows, at most as many as are `left`, behind those of the page before. */
type NextPage = (left: number) => Promise<ExportEnd & { readonly rows: readonly unknown[] }>;

/** The exports of one kind. */
export class LineExports {
  private readonly running = new ConcurrencyLimit('exports', {
    ...limits.exports.max,
    code: 'rate_limited',
    message: 'Too many exports are running. Wait for the seconds in Retry-After.',
  });
  private readonly turns = new FairTurns('export_pages');

  /** Throws rate_limited. */
  stream(answer: ExportAnswer, nextPage: NextPage): Promise<void> {
    return this.running.run(answer.tenantId, () => this.write(answer, nextPage));
  }

  private async write({ tenantId, limit, response, isHead }: ExportAnswer, nextPage: NextPage): Promise<void> {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    if (isHead) return void response.end();
    const endsAtMs = performance.now() + answerMs;
    for (let left = limit; ; ) {
      const { rows, next } = await this.turns.run(tenantId, () => nextPage(left));
      if (response.destroyed) return;
      const isTaken = response.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      left -= rows.length;
      const isLast = next === null || left <= 0 || performance.now() >= endsAtMs;
      if (isLast) return void response.end(`${JSON.stringify({ next } satisfies ExportEnd)}\n`);
      if (!isTaken && !(await drained(response))) return;
    }
  }
}
