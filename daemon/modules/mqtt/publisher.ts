/**
 * Publishes events of the log on topics. Like every live subscriber it only sees what is stored. One table says which
 * topics an event goes to.
 */
import type { DomainEvent } from '../../../src/contract/events.js';
import {
  BattlePassChallengeChangedPayload,
  BattlePassExpiredPayload,
  BattlePassLevelClaimedPayload,
} from '../../../src/contract/gameplay/player-battle-passes.js';
import { ChallengeWebhookPayload } from '../../../src/contract/gameplay/player-challenges.js';
import type { Broker } from './broker.js';

interface Audience {
  /** null: whoever listens to the subjects, of all players. */
  readonly userId: string | null;
  readonly subjects: readonly string[];
}

/**
 * Event type → the player and the subjects of its data; null: the event is redacted. The message is the event's data.
 */
const audiences: Readonly<Record<string, (data: unknown) => Audience | null>> = {
  'challenge.changed': (data) => {
    const read = ChallengeWebhookPayload.safeParse(data);
    if (!read.success) return null;
    const { new_challenge } = read.data;
    return { userId: new_challenge.user_id, subjects: ['challenges', `challenge:${new_challenge.challenge_id}`] };
  },
  'battlepass.challenge.changed': (data) => {
    const read = BattlePassChallengeChangedPayload.safeParse(data);
    if (!read.success) return null;
    const { user_id: userId, battle_pass_id: id } = read.data.new_battle_pass_challenge;
    return { userId, subjects: [`battle-pass:${id}`] };
  },
  'battlepass.level.claimed': (data) => {
    const read = BattlePassLevelClaimedPayload.safeParse(data);
    if (!read.success) return null;
    const { user_id: userId, battle_pass_id: id } = read.data.battle_pass_level_reward_claimed;
    return { userId, subjects: [`battle-pass:${id}`] };
  },
  'battlepass.expired': (data) => {
    const read = BattlePassExpiredPayload.safeParse(data);
    return read.success
      ? { userId: null, subjects: [`battle-pass:${read.data.new_battle_pass.battle_pass_id}`] }
      : null;
  },
};

export class TopicPublisher {
  constructor(private readonly broker: Broker) {}

  publish(event: DomainEvent): void {
    const { projectId, type, payload } = event;
    if (projectId === undefined || this.broker.idle) return;
    this.broker.tellOperators(projectId, type, JSON.stringify(event));
    const audience = audiences[type]?.(payload.data) ?? null;
    if (audience === null) return;
    const { userId, subjects } = audience;
    const message = JSON.stringify(payload.data);
    for (const subject of subjects) {
      if (userId === null) this.broker.tellAll(projectId, subject, message);
      else this.broker.tell({ projectId, userId, subject }, message);
    }
  }
}
