/** Streams the audit log: a page at a time, the next one as soon as the client has taken what was written. */
import type { ServerResponse } from 'node:http';
import type { AuditExportQuery, AuditPage } from '../../../src/contract/audit/audit.js';
import { FairTurns } from '../../platform/events/fair-turns.js';
import { drained } from '../../platform/http/drained.js';
import { ExportPlaces } from '../../platform/http/export-places.js';
import { placeAt } from './cursor.js';
import type { AuditService } from './service.js';
import type { AuditScope } from './store.js';

const rowsAtOnce = 200;
/** How long one answer goes on; the client then asks again, so credentials are judged again. */
const answerMs = 10_000;

interface ExportCall {
  readonly scope: AuditScope;
  readonly query: AuditExportQuery;
  readonly response: ServerResponse;
  /** Only the head of the answer is asked for. */
  readonly isHead: boolean;
}

export class AuditExport {
  private readonly places = new ExportPlaces();
  private readonly turns = new FairTurns();

  constructor(private readonly audit: AuditService) {}

  /** Throws rate_limited. */
  async stream({ scope, query, response, isHead }: ExportCall): Promise<void> {
    const search = await this.audit.search(scope, query);
    const leave = this.places.enter(scope.tenantId);
    try {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
      if (isHead) return void response.end();
      const endsAtMs = performance.now() + answerMs;
      let next: string | null = null;
      for (let left = query.limit; left > 0; ) {
        const after = next === null ? search.after : placeAt(next);
        const page: AuditPage = await this.turns.run(scope.tenantId, () =>
          this.audit.read({ ...search, after }, Math.min(left, rowsAtOnce)),
        );
        if (response.destroyed) return;
        const isTaken = response.write(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        next = page.next;
        left -= page.entries.length;
        if (next === null || performance.now() >= endsAtMs) break;
        if (!isTaken && !(await drained(response))) return;
      }
      response.end(`${JSON.stringify({ next })}\n`);
    } finally {
      leave();
    }
  }
}
