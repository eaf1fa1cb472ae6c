/** Credential → Caller (contract, section 1). Which kinds an operation accepts is stated in its route. */
import type { Request } from 'express';
import { DomainError } from '../../src/contract/errors.js';
import type { CredentialKind, Route } from '../../src/contract/route.js';
import type { ApiKeyCaller, Caller, PlayerCaller, UserCaller } from './caller.js';

/** Those who can judge a credential; each returns null for one that does not hold. */
export interface CredentialVerifiers {
  userToken(token: string): Promise<UserCaller | null>;
  apiKey(key: string): Promise<ApiKeyCaller | null>;
  playerToken(token: string): Promise<PlayerCaller | null>;
}

interface Presented {
  readonly kind: Exclude<CredentialKind, 'signature'>;
  readonly value: string;
}

/** Longest header value that is looked at. */
const credentialLengthMax = 4_096;
/** Under /api/v1 both kinds come as Bearer; keys are never longer than this, player tokens always are. */
const apiKeyLengthMax = 64;

function present(request: Request): Presented | null {
  const header = request.get('x-api-key');
  if (header !== undefined && header !== '') return { kind: 'apiKey', value: header };
  const [, scheme = '', value = ''] = /^(\S+)\s+(\S+)\s*$/.exec(request.get('authorization') ?? '') ?? [];
  if (value === '') return null;
  if (scheme.toLowerCase() === 'apikey') return { kind: 'apiKey', value };
  if (scheme.toLowerCase() !== 'bearer') return null;
  if (!request.path.startsWith('/api/v1/')) return { kind: 'bearer', value };
  return { kind: value.length <= apiKeyLengthMax ? 'apiKey' : 'playerToken', value };
}

export class Authentication {
  constructor(private readonly verifiers: CredentialVerifiers) {}

  /** Throws credential_missing, credential_kind or credential_invalid (401), or player_token_invalid (403). */
  async authenticate(route: Route, request: Request): Promise<Caller> {
    if (route.auth.length === 0 || route.auth.includes('signature')) {
      return { kind: 'anonymous', id: 'anonymous', credentialId: 'anonymous' };
    }
    const presented = present(request);
    if (presented === null || presented.value.length > credentialLengthMax) throw new DomainError('credential_missing');
    const caller = await this.verify(presented);
    if (caller === null) throw new DomainError(presented.kind === 'playerToken' ? 'player_token_invalid' : 'credential_invalid');
    if (!route.auth.includes(presented.kind)) throw new DomainError('credential_kind');
    return caller;
  }

  private verify({ kind, value }: Presented): Promise<Caller | null> {
    if (kind === 'apiKey') return this.verifiers.apiKey(value);
    return kind === 'bearer' ? this.verifiers.userToken(value) : this.verifiers.playerToken(value);
  }
}
