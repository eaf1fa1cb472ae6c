/** Follows the events about battle passes, as a game's server does that keeps the state of each challenge itself. */
import type { EarshotClient } from '../../src/client/earshot-client.js';
import {
  BattlePassChallengeChangedPayload,
  BattlePassExpiredPayload,
  BattlePassLevelClaimedPayload,
} from '../../src/contract/gameplay/player-battle-passes.js';

export interface PassFollower {
  /** Last state and counter that were announced. */
  stateOf(userId: string, challengeId: string): string;
  /** Levels and tracks, in the order of the claims. */
  claimsOf(userId: string): string[];
  /** How often the end of a pass was announced. */
  endsOf(passId: string): number;
  /** Announcements that did not begin where the one before them ended. */
  gapsOf(userId: string): string[];
  close(): void;
}

/** Resolves when the stream is open. */
export async function passFollower(client: EarshotClient, projectId: string): Promise<PassFollower> {
  const states = new Map<string, string>();
  const claims: { readonly userId: string; readonly claim: string }[] = [];
  const ends: string[] = [];
  const gaps: { readonly userId: string; readonly gap: string }[] = [];
  const closing = new AbortController();
  const unknown = 'unlock 0';
  const read = (type: string, data: unknown): void => {
    if (type === 'battlepass.challenge.changed') {
      const { old_battle_pass_challenge: from, new_battle_pass_challenge: to } =
        BattlePassChallengeChangedPayload.parse(data);
      const key = `${to.user_id} ${to.challenge_id}`;
      const before = states.get(key) ?? unknown;
      const old = `${from.type} ${from.user_challenge_current_score}`;
      if (old !== before) gaps.push({ userId: to.user_id, gap: `${to.challenge_id}: ${before}, then from ${old}` });
      states.set(key, `${to.type} ${to.user_challenge_current_score}`);
    } else if (type === 'battlepass.level.claimed') {
      const { battle_pass_level_reward_claimed: claimed, track = 'free' } = BattlePassLevelClaimedPayload.parse(data);
      claims.push({ userId: claimed.user_id, claim: `${claimed.level_id} ${track}` });
    } else ends.push(BattlePassExpiredPayload.parse(data).new_battle_pass.battle_pass_id);
  };
  await new Promise<void>((resolve, reject) => {
    const follow = async (): Promise<void> => {
      const events = client.events({
        ...{ projectId, types: 'battlepass.*', signal: closing.signal },
        onNotice: ({ kind }) => (kind === 'connected' ? resolve() : undefined),
      });
      for await (const { type, payload } of events) read(type, payload.data);
    };
    follow().catch(reject);
  });
  return {
    stateOf: (userId, challengeId) => states.get(`${userId} ${challengeId}`) ?? unknown,
    claimsOf: (userId) => claims.filter((one) => one.userId === userId).map(({ claim }) => claim),
    endsOf: (passId) => ends.filter((id) => id === passId).length,
    gapsOf: (userId) => gaps.filter((one) => one.userId === userId).map(({ gap }) => gap),
    close: () => closing.abort(),
  };
}
