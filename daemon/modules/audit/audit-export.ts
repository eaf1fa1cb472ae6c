/** Streams the audit log, newest first. */
import type { AuditExportQuery } from '../../../src/contract/audit/audit.js';
import { type ExportAnswer, LineExports } from '../../platform/http/line-exports.js';
import { placeAt } from './cursor.js';
import type { AuditService } from './service.js';
import type { AuditScope } from './store.js';

const rowsAtOnce = 200;

export class AuditEntryExport {
  private readonly exports = new LineExports();

  constructor(private readonly audit: AuditService) {}

  /** Throws rate_limited. */
  async stream(scope: AuditScope, query: AuditExportQuery, answer: Pick<ExportAnswer, 'response' | 'isHead'>) {
    const search = await this.audit.search(scope, query);
    let { after } = search;
    await this.exports.stream({ tenantId: scope.tenantId, limit: query.limit, ...answer }, async (left) => {
      const { entries, next } = await this.audit.read({ ...search, after }, Math.min(left, rowsAtOnce));
      if (next !== null) after = placeAt(next);
      return { rows: entries, next };
    });
  }
}
