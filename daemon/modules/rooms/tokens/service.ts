/**
 * Room tokens by the project's provider. What a token allows follows the user's sanctions. The packages of foreign
 * providers are loaded when the first project uses them.
 */

import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { TokenProvider } from '../../../../src/contract/projects/settings.js';
import { isReservedId, observerPrefix } from '../../../../src/contract/rooms/reserved-ids.js';
import type { GenerateProjectTokenRequest, GenerateTokenResponse } from '../../../../src/contract/rooms/tokens.js';
import type { Database } from '../../../platform/database/database.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { PolicyReader } from '../../moderation/sanctions/policy-reader.js';
import type { RoomPolicy } from '../../moderation/sanctions/rules.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { SettingsService } from '../../projects/settings/service.js';
import type { ProjectStore } from '../../projects/store.js';
import type { RoomsElsewhere } from '../elsewhere/rooms-elsewhere.js';
import { noEncryption } from '../livekit/no-encryption.js';
import type { RoomEncryptionKey, RoomKeys } from './room-keys.js';
import type { RoomTokens } from './room-tokens.js';

interface TokenGrant {
  readonly tenantId: string;
  readonly projectId: string;
  readonly roomId: string;
  readonly userId: string;
  readonly name: string;
  readonly userData: Record<string, unknown>;
  readonly publish: boolean;
  readonly subscribe: boolean;
  readonly moderate: boolean;
  readonly impose: boolean;
  readonly accountId: string | null;
  readonly encryption: RoomEncryptionKey | null;
  readonly observer: boolean;
}

/** Who asks for a token, and may hand on what they may do. */
interface TokenMaker {
  readonly mayImpose: boolean;
  /** null: a key asks. */
  readonly accountId: string | null;
}

type Issued = Pick<GenerateTokenResponse, 'token' | 'url' | 'otherUrls' | 'expiresAt'>;

const providerTokenLifetimeSeconds = 12 * 3600;
const UrlAnswer = z.object({ token: z.string().min(1).max(16_384) });

interface TokenServiceNeeds {
  readonly settings: Pick<SettingsService, 'open'>;
  readonly projects: Pick<ProjectStore, 'nameOf'>;
  readonly database: Pick<Database, 'transaction'>;
  readonly people: Pick<ParticipantDirectory, 'byExternalIds' | 'note'>;
  readonly policies: Pick<PolicyReader, 'policy'>;
  readonly keys: Pick<RoomKeys, 'forNewcomer'>;
  readonly embedded: Pick<RoomTokens, 'sign'>;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly waits: Pick<ConcurrencyLimit, 'run'>;
  readonly elsewhere: Pick<RoomsElsewhere, 'addressesOf'>;
  /** The daemon's own rooms are carried by LiveKit. */
  readonly byLiveKit: boolean;
  readonly now: Clock;
}

export class TokenService {
  constructor(private readonly needs: TokenServiceNeeds) {}

  /**
   * Throws settings_not_configured, external_user_id_reserved, participant_banned, provider_unsupported,
   * token_provider_failed, overloaded.
   */
  async generate(
    { tenantId, projectId }: ProjectGrant,
    request: GenerateProjectTokenRequest,
    { mayImpose, accountId }: TokenMaker,
  ): Promise<GenerateTokenResponse> {
    const settings = await this.settingsOf(projectId);
    if (isReservedId(request.userId, settings.botUserId ?? undefined))
      throw new DomainError('external_user_id_reserved');
    const policy = await this.needs.policies.policy(projectId, request.roomId, request.userId);
    refuseBanned(policy.banned);
    const encryption = await this.needs.keys.forNewcomer(projectId, request.roomId);
    const moderate = request.permissions?.moderate ?? false;
    const grant: TokenGrant = {
      tenantId,
      projectId,
      roomId: request.roomId,
      userId: request.userId,
      name: request.displayName ?? (await this.nameOf(projectId, request.userId)),
      userData: request.userData ?? {},
      publish: policy.publish && (request.permissions?.publish ?? true),
      subscribe: request.permissions?.subscribe ?? true,
      moderate,
      impose: moderate && mayImpose,
      accountId: moderate && mayImpose ? accountId : null,
      encryption,
      observer: false,
    };
    const { tokenProvider: provider, tokenProviderSettings: fields } = settings;
    if (grant.moderate && provider !== 'embedded')
      throw new DomainError('provider_unsupported', {
        message: 'Only rooms of this daemon support the permission moderate. Omit it.',
      });
    this.refuseSealed(provider, encryption);
    const issued = await this.issue(provider, fields, grant);
    const { minor, language } = request;
    if (minor !== undefined || language !== undefined)
      await this.needs.database.transaction((tx) =>
        this.needs.people.note(tx, { tenantId, projectId, externalUserId: request.userId, minor, language }),
      );
    return { ...issued, provider: this.answered(provider), roomId: grant.roomId, e2ee: encryption };
  }

  private async nameOf(projectId: string, userId: string): Promise<string> {
    const [known] = await this.needs.people.byExternalIds(projectId, [userId]);
    return known?.displayName ?? userId;
  }

  /**
   * For somebody of the team. Every observer has an id of their own, which is nobody's external user id, and all have
   * the name of the team, because players need not know which moderator listens. Throws settings_not_configured,
   * provider_unsupported.
   */
  async observe({ tenantId, projectId }: ProjectGrant, roomId: string): Promise<GenerateTokenResponse> {
    const { tokenProvider: provider } = await this.settingsOf(projectId);
    if (provider !== 'embedded')
      throw new DomainError('provider_unsupported', {
        message: `Only rooms of this daemon support observers. Listen with a client of the project's provider (${provider}).`,
      });
    const encryption = await this.needs.keys.forNewcomer(projectId, roomId);
    this.refuseSealed(provider, encryption);
    const name = await this.needs.projects.nameOf(projectId);
    const issued = await this.forEmbedded({
      tenantId,
      projectId,
      roomId,
      userId: `${observerPrefix}${uuidv7()}`,
      name: name === null ? 'The team' : `${name} team`,
      userData: {},
      publish: false,
      subscribe: true,
      moderate: true,
      impose: false,
      accountId: null,
      encryption,
      observer: true,
    });
    return { ...issued, provider: this.answered(provider), roomId, e2ee: encryption };
  }

  private carriedByLiveKit = (provider: TokenProvider): boolean => provider === 'embedded' && this.needs.byLiveKit;

  /** Says which client joins with the token. */
  private answered = (provider: TokenProvider): TokenProvider =>
    this.carriedByLiveKit(provider) ? 'livekit' : provider;

  private refuseSealed(provider: TokenProvider, encryption: RoomEncryptionKey | null): void {
    if (this.carriedByLiveKit(provider) && encryption !== null)
      throw new DomainError('provider_unsupported', { message: noEncryption });
  }

  private async settingsOf(projectId: string) {
    const settings = await this.needs.settings.open(projectId);
    if (settings === null) throw new DomainError('settings_not_configured');
    return settings;
  }

  private issue(
    provider: TokenProvider,
    fields: Record<string, string | undefined>,
    grant: TokenGrant,
  ): Promise<Issued> {
    switch (provider) {
      case 'embedded':
        return this.forEmbedded(grant);
      case 'livekit':
        return this.forLivekit(fields, grant);
      case 'access_key':
        return this.forOdin(fields, grant);
      case 'url':
        return this.fromUrl(fields, grant);
    }
  }

  private async forEmbedded(grant: TokenGrant): Promise<Issued> {
    const { userId: sub, tenantId: _, projectId: project, roomId: room, ...rest } = grant;
    const { token, expiresAt } = await this.needs.embedded.sign({ sub, project, room, ...rest });
    return { token, ...this.needs.elsewhere.addressesOf(room), expiresAt: expiresAt.toISOString() };
  }

  private async forLivekit(
    { url = '', apiKey = '', apiSecret = '' }: Record<string, string | undefined>,
    grant: TokenGrant,
  ): Promise<Issued> {
    const { userId: identity, name, userData } = grant;
    const { AccessToken } = await import('livekit-server-sdk');
    const token = new AccessToken(apiKey, apiSecret, {
      identity,
      name,
      metadata: JSON.stringify(userData),
      ttl: providerTokenLifetimeSeconds,
    });
    token.addGrant({ roomJoin: true, room: grant.roomId, canPublish: grant.publish, canSubscribe: grant.subscribe });
    return { token: await token.toJwt(), url, otherUrls: [], expiresAt: this.inLifetime() };
  }

  /** Choice: an ODIN token cannot forbid speaking, so a person who may not speak gets none. */
  private async forOdin({ accessKey = '' }: Record<string, string | undefined>, grant: TokenGrant): Promise<Issued> {
    if (!grant.publish || !grant.subscribe) {
      throw new DomainError('provider_unsupported', {
        message:
          'An ODIN token always lets its holder speak and listen; this user may not. Use another token provider.',
      });
    }
    const { TokenGenerator } = await import('@4players/odin-tokens');
    try {
      const generator = new TokenGenerator(accessKey);
      const token = generator.createToken(grant.roomId, grant.userId, { lifetime: providerTokenLifetimeSeconds });
      return { token, url: null, otherUrls: [], expiresAt: this.inLifetime() };
    } catch (cause) {
      throw new DomainError('token_provider_failed', {
        message: 'The ODIN access key of the project settings is not usable.',
        cause,
      });
    }
  }

  /** The endpoint belongs to the project: it receives what the user may do and makes the token accordingly. */
  private async fromUrl(
    { url = '', authorization }: Record<string, string | undefined>,
    grant: TokenGrant,
  ): Promise<Issued> {
    const { roomId, userId, userData, publish, subscribe } = grant;
    const request = { roomId, userId, userData, permissions: { publish, subscribe } };
    const headers = {
      'Content-Type': 'application/json',
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    };
    try {
      const ask = () => this.needs.outbound.post(url, headers, JSON.stringify(request));
      const { status, body } = await this.needs.waits.run(grant.tenantId, ask);
      if (status < 200 || status > 299) throw new Error(`the endpoint answered ${status}`);
      return { token: tokenIn(body), url: null, otherUrls: [], expiresAt: null };
    } catch (cause) {
      if (cause instanceof DomainError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new DomainError('token_provider_failed', {
        message: `The token endpoint of the project settings returned no token: ${reason}`,
        cause,
      });
    }
  }

  private inLifetime = (): string =>
    new Date(this.needs.now().getTime() + providerTokenLifetimeSeconds * 1000).toISOString();
}

function tokenIn(body: string): string {
  try {
    return UrlAnswer.parse(JSON.parse(body)).token;
  } catch (cause) {
    throw new Error('its answer is not {"token": "…"}', { cause });
  }
}

/** Throws participant_banned, with reason and end of the ban where it has them. */
function refuseBanned(banned: RoomPolicy['banned']): void {
  if (banned === null) return;
  const end = banned.until === null ? 'for good' : `until ${banned.until.toISOString()}`;
  const why = banned.reason === '' ? '' : ` Reason: ${banned.reason}`;
  throw new DomainError('participant_banned', {
    message: `This participant is banned from the rooms of the project ${end}.${why}`,
  });
}
