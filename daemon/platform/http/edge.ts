/** The steps that every request passes before its handler, built from what the modules offer. */
import { Idempotency } from '../idempotency/idempotency.js';
import { type Module, verifiersOf } from '../module.js';
import type { Platform } from '../platform.js';
import type { AuditTrail } from './audit-trail.js';
import { Authentication } from './authentication.js';
import { Authorisation, type InstallationAccess, type ProjectAccess } from './authorisation.js';
import type { Edge } from './bind.js';

export const edgeOf = (
  { daemons, idempotency, limits, bodies, answers, reads, storage, now }: Platform,
  modules: readonly Module[],
  access: ProjectAccess,
  installation: InstallationAccess,
  audit: AuditTrail,
): Edge => ({
  authentication: new Authentication(verifiersOf(modules)),
  authorisation: new Authorisation(access, installation),
  idempotency: new Idempotency(idempotency, daemons, now),
  bodies,
  answers,
  limits,
  quota: storage.quota,
  audit,
  reads,
});
