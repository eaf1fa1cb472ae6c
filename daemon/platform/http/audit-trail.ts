/**
 * The place where calls are passed to the audit log. Every operation comes through here, and the contract says which of
 * them are recorded, so no route can forget it. The audit module decides what an entry contains.
 */
import { recordedCalls } from '../../../src/contract/audit/coverage.js';
import type { Route } from '../../../src/contract/route.js';
import { CallContext } from '../call-context.js';
import type { RouteAnswer } from './arrived.js';
import type { Caller, ProjectGrant } from './caller.js';

/** A call that was allowed and read, before it is carried out. */
export interface AuditedCall {
  readonly route: Route;
  readonly caller: Caller;
  readonly project: ProjectGrant | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly requestId: string;
  readonly address: string | null;
}

export interface AuditTrail {
  /** Carries the call out and records it: in its own transaction, where it has one. */
  during(call: AuditedCall, handle: () => Promise<RouteAnswer>): Promise<RouteAnswer>;
}

/** True if a call of this operation by this caller is recorded. */
export function isRecorded(route: Route, { kind }: Pick<Caller, 'kind'>): boolean {
  if (kind === 'player' || kind === 'peer' || kind === 'service') return false;
  const of = recordedCalls(route);
  return of === 'everybody' || (of === 'users' && kind === 'user');
}

/** The account that signs in, which becomes known while the call is carried out. */
export interface SigningIn {
  readonly id: string;
  readonly tenantId: string;
  readonly email: string;
}

/** Something that a call changes and that neither its path nor its body places: its service finds where it is. */
export interface FoundChange {
  readonly id: string;
  readonly tenantId: string;
  /** null: the whole tenant. */
  readonly projectId: string | null;
}

/** What becomes known while a call is carried out. */
export interface CallFindings {
  account: SigningIn | null;
  /** By id. */
  readonly changes: Map<string, FoundChange>;
}

const findings = new CallContext<CallFindings>();

/** Runs a call that fills in `found`. */
export const whileFinding = <T>(found: CallFindings, call: () => Promise<T>): Promise<T> => findings.run(found, call);

/** Says which account the call signs in to, or tries to. */
export const signsInTo = ({ id, tenantId, email }: SigningIn): void => {
  if (findings.value !== undefined) findings.value.account = { id, tenantId, email };
};

/** Says what the call changes. The entry belongs to the tenant and project of what is changed, not to the caller's. */
export const foundChange = (change: FoundChange): void => void findings.value?.changes.set(change.id, change);
