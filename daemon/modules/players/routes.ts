/** `/api/v1`: player tokens, user info, topics and events. */
import { DomainError } from '../../../src/contract/errors.js';
import { gameEvents, propertyType } from '../../../src/contract/gameplay/game-events.js';
import {
  type EventDescription,
  gameplayRoutes,
  type UserInfo,
  type UserInfoRequest,
} from '../../../src/contract/gameplay/gameplay.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { ApiKeyCaller, PlayerCaller } from '../../platform/http/caller.js';
import type { PlayerChallenges } from '../challenges/player-challenges.js';
import { type EventIntake, projectKeys, type Submitter } from '../game-events/intake.js';
import type { PlayerKey, TopicNames } from '../game-events/model/player.js';
import { acknowledgement, resultOf } from '../game-events/result.js';
import type { PlayerInfo } from './player-store.js';
import type { PlayerTokens } from './player-tokens.js';

interface PlayerServices {
  readonly intake: Pick<EventIntake, 'submit' | 'submitAll'>;
  readonly challenges: Pick<PlayerChallenges, 'requireChallenge'>;
  readonly tokens: PlayerTokens;
  readonly info: PlayerInfo;
  readonly topics: TopicNames;
}

const describeProperties = (names: readonly string[]) =>
  names.map((name) => ({ property_name: name, property_type: propertyType(name) }));
const documentation: EventDescription[] = gameEvents.map(({ name, required, optional }) => ({
  event_name: name,
  required_properties: describeProperties(required),
  optional_properties: describeProperties(optional),
}));

const keyOf = ({ projectId, externalUserId }: PlayerCaller): PlayerKey => ({ projectId, userId: externalUserId });

/** Throws credential_kind when the caller states that it sends the other kind of credential. */
const submitterOf = (
  caller: ApiKeyCaller | PlayerCaller,
  auth: 'api_key' | 'access_token' | '',
  { tenantId, projectId }: { readonly tenantId: string; readonly projectId: string },
): Submitter => {
  const said = auth === 'access_token' ? 'player' : 'apiKey';
  if (caller.kind === said) {
    if (caller.kind === 'apiKey') return { tenantId, projectId, keyScope: projectKeys, playerId: null };
    // In quotes: an id with spaces is no other id and the beginning of a key, nor is any id the scope of the project.
    const playerId = caller.externalUserId;
    return { tenantId, projectId, keyScope: JSON.stringify(playerId), playerId };
  }
  throw new DomainError(said === 'player' ? 'player_token_invalid' : 'credential_kind', {
    message: 'The query parameter auth names the other kind of credential: api_key or access_token.',
  });
};

export const sdkRouter = ({ intake, challenges, tokens, info, topics }: PlayerServices): BoundRoute[] => {
  const getInfo = ({ caller }: { caller: PlayerCaller }): Promise<UserInfo> => info.get(keyOf(caller));
  const setInfo = ({ caller, body }: { caller: PlayerCaller; body: UserInfoRequest }): Promise<UserInfo> =>
    info.set(keyOf(caller), body);
  return bind(gameplayRoutes, {
    generateAccessToken: async ({ project, body }) => ({
      token: await tokens.sign({ tenantId: project.tenantId, projectId: project.projectId, userId: body.user_id }),
    }),
    getUserInfo: getInfo,
    setUserInfo: setInfo,
    getUserInfoForSdk: getInfo,
    setUserInfoForSdk: setInfo,
    challengesTopic: async ({ caller }) => ({
      topic: await topics.nameOf({ ...keyOf(caller), subject: 'challenges' }),
    }),
    challengeTopic: async ({ caller, query }) => {
      await challenges.requireChallenge(caller.projectId, query.challenge_id);
      return { topic: await topics.nameOf({ ...keyOf(caller), subject: `challenge:${query.challenge_id}` }) };
    },
    // Choice: topics need no credential, so the answer is a new player token, which the broker takes as password.
    generateSocketToken: async ({ caller }) => ({
      socket_token: await tokens.sign({ tenantId: caller.tenantId, ...keyOf(caller) }),
    }),
    getAvailableEvents: () => documentation,
    sendEvent: async ({ caller, project, query, headers, body }) => {
      const by = submitterOf(caller, query.auth, project);
      await intake.submit(by, body, headers['idempotency-key'] ?? null);
      return acknowledgement;
    },
    sendEvents: async ({ caller, project, query, headers, body }) => {
      const by = submitterOf(caller, query.auth, project);
      const outcomes = await intake.submitAll(by, body.events, headers['idempotency-key'] ?? null, body.sent_at);
      return { results: outcomes.map(resultOf) };
    },
  });
};
