/**
 * Kinds of things that people may name instead of typing an id. Commands declare the kind for an argument or a flag;
 * `EarshotCommand.input` replaces the name by the id. This file has only words: the code that finds the id is loaded
 * when somebody has typed a name.
 */
import type { Interfaces } from '@oclif/core';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';

const meanings = {
  project: 'Project, by name or id',
  room: 'Room, by id, or by the name, join code or id of its gathering, or the title or id of its session',
  joinedRoom: 'Room: an id, which may be new, or what it belongs to: a gathering or a session',
  session: 'Session, by room, title or id; a room stands for its active session, else its newest',
  person: 'Somebody, by display name, external id or participant id',
  personById: 'Somebody, by external id, display name or participant id',
  participant: 'Somebody, by display name, external id or participant id',
  player: 'Somebody, by display name or user id',
  colleague: 'Somebody who works in the project, by e-mail address or permission id',
  moderator: 'Moderator, by e-mail address, a key by name, or me',
  apiKey: 'API key, by name, beginning of the key or id',
  webhook: 'Webhook subscription, by address, host, description or id',
  gathering: 'Gathering, by name, join code or id',
  sanction: 'Sanction, by id, or by the person where only one is active',
  review: 'Review, by id, or by the person where only one is undecided',
  case: 'Case, by id, or by the person or room where only one is undecided',
  rule: 'Rule, by name or id',
  instance: 'Installed plugin, by slug or instance id',
  challenge: 'Challenge, by name or id',
  category: 'Category, by name or id',
  battlePass: 'Battle pass, by name or id',
  leaderboard: 'Leaderboard, by name or id',
  level: 'Level of a battle pass, as PASS/POSITION or by id',
} as const;

export type Kind = keyof typeof meanings;
export const isKind = (text: string): text is Kind => Object.hasOwn(meanings, text);

const gameplayKinds = [
  'challenge',
  'category',
  'battlePass',
  'leaderboard',
  'level',
] as const satisfies readonly Kind[];
export type GameplayKind = (typeof gameplayKinds)[number];
export const isGameplay = (kind: Kind): kind is GameplayKind => gameplayKinds.some((one) => one === kind);

/** Description of an argument or flag that takes a name. */
interface Named {
  readonly names: Kind;
}
export interface NameArgument extends Interfaces.Arg<string>, Named {}
export interface NameFlag extends Interfaces.OptionFlag<string | undefined>, Named {}

/** A required argument that names one of a kind. */
export const nameArgument = (kind: Kind, description: string = meanings[kind]): NameArgument => ({
  ...Args.string({ required: true, description }),
  names: kind,
});

export interface OptionalNameArgument extends Interfaces.Arg<string | undefined>, Named {}

/** Optional form of `nameArgument`. */
export const optionalNameArgument = (kind: Kind, description: string = meanings[kind]): OptionalNameArgument => ({
  ...Args.string({ description }),
  names: kind,
});

/** A flag that names one of a kind. */
export const nameFlag = (kind: Kind, description: string = meanings[kind]): NameFlag => ({
  ...Flags.string({ description }),
  names: kind,
});

/** A flag that names one of a kind, and cannot be left out. */
export const requiredNameFlag = (kind: Kind, description: string): Interfaces.OptionFlag<string> =>
  Object.assign(Flags.string({ required: true, description }), { names: kind });

/** The flag of a field, naming one of another kind than the field usually does. */
export const namesOther = (flag: Interfaces.OptionFlag<string | undefined>, kind: Kind): NameFlag => ({
  ...flag,
  names: kind,
});

/** Fields of the contract that hold an id: their flags take names too. */
export const kindOfField: Readonly<Record<string, Kind>> = {
  projectId: 'project',
  sessionId: 'session',
  subscriptionId: 'webhook',
  externalUserId: 'player',
  reporterUserId: 'player',
  participantId: 'participant',
  createdByUserId: 'moderator',
  claimedByUserId: 'moderator',
  decidedByUserId: 'moderator',
  gatheringId: 'gathering',
  sanctionId: 'sanction',
  categoryId: 'category',
  challengeId: 'challenge',
  battlePassId: 'battlePass',
  leaderboardId: 'leaderboard',
  ruleId: 'rule',
};

const isNamed = (definition: unknown): definition is Named =>
  typeof definition === 'object' && definition !== null && 'names' in definition;

/** Returns the definitions that name something, with what was typed for them. */
export const namesTyped = (
  definitions: Readonly<Record<string, unknown>>,
  typed: Readonly<Record<string, unknown>>,
): (readonly [key: string, kind: Kind, text: string])[] =>
  Object.entries(definitions).flatMap(([key, definition]) => {
    const text = typed[key];
    return isNamed(definition) && typeof text === 'string' ? [[key, definition.names, text] as const] : [];
  });
