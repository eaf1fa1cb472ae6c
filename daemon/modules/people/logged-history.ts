/**
 * History of a person in the event log: joining and leaving, gatherings, play. It reaches back as far as the log is
 * kept.
 */
import type { DomainEvent } from '../../../src/contract/events.js';
import { Membership, Presence, timeOfPresence } from '../../../src/contract/events.js';
import {
  BattlePassChallengeChangedPayload,
  BattlePassLevelClaimedPayload,
} from '../../../src/contract/gameplay/player-battle-passes.js';
import { ChallengeWebhookPayload } from '../../../src/contract/gameplay/player-challenges.js';
import type { HistoryEntry } from '../../../src/contract/people/participant-records.js';
import type { EventLog } from '../../platform/events/log.js';
import type { HistorySource } from './history.js';

/** `at` is left out where that is when the event was stored. */
type Telling = (event: DomainEvent) => (Pick<HistoryEntry, 'what' | 'resourceId'> & { readonly at?: string }) | null;

const presence =
  (verb: string): Telling =>
  (event) => {
    const { success, data } = Presence.safeParse(event.payload.data);
    if (!success) return null;
    const why = data.reason === null || data.reason === 'left' ? '' : ` (${data.reason})`;
    const { resourceId } = event;
    return { what: `${verb} room ${data.roomId}${why}`, resourceId, at: timeOfPresence(data, event) };
  };

const membership =
  (verb: string): Telling =>
  ({ payload }) => {
    const { success, data } = Membership.safeParse(payload.data);
    return success ? { what: `${verb} a gathering`, resourceId: `gathering:${data.gatheringId}` } : null;
  };

/** Why an operator set the progress. */
const because = ({ reason }: { readonly reason?: string | undefined }): string =>
  reason === undefined ? '' : ` (set: ${reason})`;

const challenge: Telling = ({ payload }) => {
  const { success, data } = ChallengeWebhookPayload.safeParse(payload.data);
  if (!success) return null;
  const { type, challenge_id: id, user_challenge_current_score: score, challenge_goal: goal } = data.new_challenge;
  return { what: `challenge ${type}, ${score} of ${goal}${because(data)}`, resourceId: `challenge:${id}` };
};

const levelChallenge: Telling = ({ payload }) => {
  const { success, data } = BattlePassChallengeChangedPayload.safeParse(payload.data);
  if (!success) return null;
  const now = data.new_battle_pass_challenge;
  const place = `level ${now.level_position_index + 1} of a battle pass`;
  return {
    what: `challenge of ${place} ${now.type}, ${now.user_challenge_current_score} of ${now.challenge_goal}${because(data)}`,
    resourceId: `challenge:${now.challenge_id}`,
  };
};

const levelClaimed: Telling = ({ payload }) => {
  const { success, data } = BattlePassLevelClaimedPayload.safeParse(payload.data);
  if (!success) return null;
  const { level_id: id, level_position_index: index } = data.battle_pass_level_reward_claimed;
  const reward = data.track === 'premium' ? 'premium reward' : 'reward';
  return {
    what: `claimed the ${reward} of level ${index + 1} of a battle pass`,
    resourceId: `battle-pass-level:${id}`,
  };
};

const voice: Record<string, Telling> = {
  'participant.joined': presence('entered'),
  'participant.left': presence('left'),
};
const gatherings: Record<string, Telling> = {
  'gathering.member.joined': membership('joined'),
  'gathering.member.ready': membership('was ready in'),
  'gathering.member.left': membership('left'),
};
const play: Record<string, Telling> = {
  'challenge.changed': challenge,
  'battlepass.challenge.changed': levelChallenge,
  'battlepass.level.claimed': levelClaimed,
};

const source = (
  log: EventLog,
  scope: HistorySource['scope'],
  kind: HistoryEntry['kind'],
  tellings: Record<string, Telling>,
): HistorySource => ({
  scope,
  async read({ projectId, externalUserId }, limit) {
    const events = await log.timelines.ofSubject(projectId, externalUserId, Object.keys(tellings), limit);
    return events.flatMap((event) => {
      const entry = tellings[event.type]?.(event) ?? null;
      return entry === null ? [] : [{ at: event.timestamp, kind, partOf: null, ...entry }];
    });
  },
});

export const loggedHistory = (log: EventLog): HistorySource[] => [
  source(log, 'messages:read', 'voice', voice),
  source(log, 'gatherings:read', 'gathering', gatherings),
  source(log, 'gameplay:read', 'play', play),
];
