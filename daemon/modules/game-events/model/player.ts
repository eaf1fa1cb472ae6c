/** A player of a project, and what counting needs of those who know players. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { UserInfo } from '../../../../src/contract/gameplay/gameplay.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PlayerCaller } from '../../../platform/http/caller.js';

export interface PlayerKey {
  readonly projectId: string;
  readonly userId: string;
}

/** The player whom a token names, in the app of the path. Throws unknown_app: a token opens its own app alone. */
export const playerIn = ({ projectId, externalUserId }: PlayerCaller, appId: string): PlayerKey => {
  if (appId !== projectId) throw new DomainError('unknown_app');
  return { projectId, userId: externalUserId };
};

/** Rows of players: their names beside ranks, and the row that makes a player's actions wait for each other. */
export interface PlayerRows {
  /** Returns the stored information of these users; users without any are missing. */
  infosOf(tx: Transaction, projectId: string, userIds: readonly string[]): Promise<Map<string, UserInfo>>;
  /** Returns the committed information, outside a transaction. */
  currentInfosOf(projectId: string, userIds: readonly string[]): Promise<Map<string, UserInfo>>;
  /** Makes the player's row and locks it: one action of a player at a time. */
  lock(tx: Transaction, player: PlayerKey, now: Date): Promise<void>;
}

/** A leaderboard publishes the same to everybody, whichever player the topic was made for. */
export const everybody = '';

export interface TopicSubject extends PlayerKey {
  /** `challenges`, `challenge:<id>`, `battle-pass:<id>` or `leaderboard:<id>`. */
  readonly subject: string;
}

/** Names of MQTT topics. */
export interface TopicNames {
  /** The name of the topic, made when it is first asked for. */
  nameOf(topic: TopicSubject): Promise<string>;
  /** Deletes every topic of a subject. */
  deleteSubject(tx: Transaction, projectId: string, subject: string): Promise<void>;
}
