import type { Reader, Transaction } from '../../platform/database/database.js';

/** Reads of tenants that gameplay needs. */
export interface Tenants {
  /** Tenant of a project that exists, as the transaction sees it. Never changes. */
  tenantIn(client: Transaction | Reader, projectId: string): Promise<string>;
}
