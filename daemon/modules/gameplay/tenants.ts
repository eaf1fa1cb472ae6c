import type { Reader, Transaction } from '../../platform/database/database.js';

/** What gameplay asks of the tenants. */
export interface Tenants {
  /** Tenant of a project that exists, as the transaction sees it. Never changes. */
  tenantIn(client: Transaction | Reader, projectId: string): Promise<string>;
}
