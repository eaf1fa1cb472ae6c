/** The audit log: who did what to whom, when and from where. */
import type { AdminHandler } from '../../platform/admin-operation.js';
import type { AuditTrail } from '../../platform/http/audit-trail.js';
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { AuditEntryExport } from './audit-export.js';
import { recordedHandlers } from './operator-records.js';
import { auditPersonRecords } from './person-records-store.js';
import { AuditRecorder } from './recorder.js';
import { auditRouter } from './routes.js';
import { AuditService } from './service.js';
import { AuditStore } from './store.js';

export interface Audit extends Module {
  /** Records each call that passes the HTTP edge. */
  readonly trail: AuditTrail;
  /** The operations, each recorded as it runs: what the operator does is recorded too. */
  recorded(operations: readonly AdminHandler[]): AdminHandler[];
}

export function auditModule(platform: Platform, { identity, people, projects }: Records): Audit {
  const { database, log, now, logger } = platform;
  const store = new AuditStore(database);
  const audit = new AuditService(store, people.directory);
  const trail = new AuditRecorder({ database, store, log, now, logger });
  return {
    name: 'audit',
    trail,
    recorded: (operations) => recordedHandlers(operations, trail, identity.accounts, projects.store),
    parts: [{ name: 'refused-logins', stop: () => trail.stop() }],
    routes: auditRouter(audit, new AuditEntryExport(audit)),
    personRecords: auditPersonRecords(database),
    person: { afterLog: (tx, projectId, { heldIds }) => store.erase(tx, projectId, heldIds) },
    project: { removeSome: (projectId) => store.eraseSomePeople(projectId) },
  };
}
