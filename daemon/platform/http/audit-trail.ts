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

const signingIn = new CallContext<(account: SigningIn) => void>();

/** Runs a call; `onAccount` is called with the account that it signs in to. */
export const whileSigningIn = <T>(onAccount: (account: SigningIn) => void, call: () => Promise<T>): Promise<T> =>
  signingIn.run(onAccount, call);

/** Says which account the call signs in to, or tries to. */
export const signsInTo = ({ id, tenantId, email }: SigningIn): void => signingIn.value?.({ id, tenantId, email });
