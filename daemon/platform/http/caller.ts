/** Caller of an operation, according to authentication. Services see this and never a credential. */
import type { ProjectRole, TenantRole } from '../../../src/contract/route.js';

export interface UserCaller {
  readonly kind: 'user';
  readonly id: string;
  /** E-mail address. */
  readonly name: string;
  readonly tenantId: string;
  readonly tenantRole: TenantRole;
  /** Identifies this login: the token's jti. */
  readonly credentialId: string;
  /** Logins from before the account's last change of password are invalid. */
  readonly issuedAt: Date;
  /** Of the account's logins; undefined: the token is of an earlier version. */
  readonly generation?: number | undefined;
  readonly expiresAt: Date;
  /** When the identity provider confirmed who it is; null: the login was by password. */
  readonly confirmedAt: Date | null;
}

export interface ApiKeyCaller {
  readonly kind: 'apiKey';
  readonly id: string;
  /** Name of the key. */
  readonly name: string;
  readonly tenantId: string;
  /** The one project the key is limited to; null: every project of the tenant. */
  readonly projectId: string | null;
  readonly scopes: readonly string[];
  readonly credentialId: string;
  readonly expiresAt: Date | null;
}

export interface PlayerCaller {
  readonly kind: 'player';
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string;
  readonly credentialId: string;
  readonly expiresAt: Date;
}

/** The holder of a room token who may impose sanctions on the people in that room. */
export interface ModeratorCaller {
  readonly kind: 'moderator';
  /** Their participant id. */
  readonly id: string;
  /** The account that made the token; null: a game server did, for a player. */
  readonly accountId: string | null;
  readonly tenantId: string;
  readonly projectId: string;
  readonly roomId: string;
  readonly externalUserId: string;
  readonly credentialId: string;
  readonly expiresAt: Date;
}

/** The holder of a room token, as a person in that room. */
export interface PeerCaller {
  readonly kind: 'peer';
  /** Their external user id. */
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly roomId: string;
  readonly externalUserId: string;
  readonly credentialId: string;
  readonly expiresAt: Date;
}

/** A platform service, known by its signature on this one request. */
export interface ServiceCaller {
  readonly kind: 'service';
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  /** Identifies the signature: a repeated one is the same. */
  readonly credentialId: string;
}

/** For operations without a credential. */
interface AnonymousCaller {
  readonly kind: 'anonymous';
  readonly id: 'anonymous';
  readonly credentialId: string;
}

export type Caller =
  | UserCaller
  | ApiKeyCaller
  | PlayerCaller
  | ModeratorCaller
  | PeerCaller
  | ServiceCaller
  | AnonymousCaller;
export type Member = UserCaller | ApiKeyCaller;
/** A login or key as it was, without the name of whose it is. */
export type PastMember = Omit<UserCaller, 'name'> | Omit<ApiKeyCaller, 'name'>;

/** One text per caller: rate limits are kept under it. */
export const identityOf = (caller: Caller): string =>
  caller.kind === 'player' || caller.kind === 'peer'
    ? `${caller.kind}:${caller.projectId}:${caller.id}`
    : `${caller.kind}:${caller.id}`;

/** The project of a call and the caller's role in it. */
export interface ProjectGrant {
  readonly projectId: string;
  readonly tenantId: string;
  readonly role: ProjectRole;
}

/**
 * Scope of idempotency keys: a person within the project or room, else the project, else the tenant. Whoever repeats a request
 * may have another API key or login by then.
 */
export function keyScopeOf(caller: Caller, project: ProjectGrant | undefined): string {
  if (caller.kind !== 'user' && caller.kind !== 'apiKey') return identityOf(caller);
  return project === undefined ? `tenant:${caller.tenantId}` : `project:${project.projectId}`;
}
