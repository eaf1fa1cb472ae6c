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
import { LeaderboardUpdatePayload } from '../../../src/contract/gameplay/player-leaderboards.js';
import { textField } from '../../platform/events/text-field.js';
import { limits } from '../../platform/limits/catalogue.js';
import type { Broker } from './broker.js';
import { LatestOnly } from './latest-only.js';

interface MessageAudience {
  /** null: everybody who listens to the subjects, for any player. */
  readonly userId: string | null;
  readonly subjects: readonly string[];
  /** Messages with the same one are limited: what comes too soon waits, and only the last of it is sent. */
  readonly limitedBy?: string;
}

/** All who listen to a leaderboard get the changes of all its members. */
const everybody = '';
/** Shortest time between two rankings of one member of one leaderboard. */
const rankingIntervalMs = 1_000 / limits.ranking_updates.max;
const rankingsWaitingMax = 50_000;

/**
 * Event type → the player and the subjects of its data; null: the event is redacted. The message is the event's data.
 */
const audiences: Readonly<Record<string, (data: unknown) => MessageAudience | null>> = {
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
  'leaderboard.changed': (data) => {
    const read = LeaderboardUpdatePayload.safeParse(data);
    if (!read.success) return null;
    const { leaderboard_data: board, member_data: member } = read.data;
    const subject = `leaderboard:${board.leaderboard_id}`;
    return {
      userId: everybody,
      subjects: [subject],
      limitedBy: JSON.stringify([subject, member.member_type, member.member_id]),
    };
  },
};

const movedType = 'participant.moved';

export class TopicPublisher {
  private readonly limited = new LatestOnly(rankingIntervalMs, rankingsWaitingMax);

  constructor(private readonly broker: Broker) {}

  /** True if the data of an event of this type is looked at now. */
  readsDataOf(type: string): boolean {
    return type === movedType || !this.broker.idle;
  }

  /** Nothing waits any more. */
  stop(): void {
    this.limited.stop();
  }

  private move(projectId: string, data: unknown): void {
    const [from, to] = [textField(data, 'movedFrom'), textField(data, 'externalUserId')];
    if (from !== null && to !== null) this.broker.movePlayer(projectId, from, to);
  }

  publish(event: DomainEvent): void {
    const { projectId, type, payload } = event;
    if (projectId === undefined) return;
    // Also while nobody listens: a topic may just be looked up.
    if (type === movedType) this.move(projectId, payload.data);
    if (this.broker.idle) return;
    this.broker.publishToOperators(projectId, type, () => JSON.stringify(event));
    const audience = audiences[type]?.(payload.data) ?? null;
    if (audience === null) return;
    const { userId, subjects, limitedBy } = audience;
    const heard = subjects.filter((subject) => userId === null || this.broker.isHeard({ projectId, userId, subject }));
    if (heard.length === 0) return;
    const publishPayload = (): void => {
      const message = JSON.stringify(payload.data);
      for (const subject of heard) {
        if (userId === null) this.broker.publishAll(projectId, subject, message);
        else this.broker.publish({ projectId, userId, subject }, message);
      }
    };
    if (limitedBy === undefined) publishPayload();
    else this.limited.run(limitedBy, publishPayload);
  }
}
