/**
 * Answers what other modules ask about projects: which tenant they belong to, who may reach them, and how their rooms
 * are configured.
 */
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { Access } from './access.js';
import type { ProjectService } from './service.js';
import type { SettingsService } from './settings/service.js';
import type { ProjectUserService } from './users.js';

export interface ProjectDirectory {
  readonly access: Access;
  readonly settings: SettingsService;
  readonly service: ProjectService;
  readonly users: ProjectUserService;
  /** null: there is no such project, or it is out of reach (deleted, or its tenant is disabled). */
  tenantOf(projectId: string): Promise<string | null>;
  /** Tenant of a project that exists, in or out of reach, as the transaction sees it. Throws when there is none. */
  tenantIn(client: Transaction | Reader, projectId: string): Promise<string>;
  /** null: there is no such project within reach. */
  nameOf(projectId: string): Promise<string | null>;
  /** Id and name of the projects of a tenant that are within reach. */
  ofTenant(tenantId: string): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** True if the project exists within reach. */
  isOpen(projectId: string): Promise<boolean>;
  /** Returns the projects within reach among the ids. */
  inReach(projectIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** By billing project id, with the secret that platform services sign with; null when either is missing. */
  signing(billingProjectId: string): Promise<{ projectId: string; tenantId: string; secret: string } | null>;
  /** The projects that delete transcripts after a time, with the number of days. */
  keptTranscripts(): Promise<{ projectId: string; transcriptRetentionDays: number }[]>;
  /** The project `default` of a new tenant, with settings for embedded rooms. */
  createFirst(tx: Transaction, tenantId: string, ownerId: string): Promise<void>;
}
