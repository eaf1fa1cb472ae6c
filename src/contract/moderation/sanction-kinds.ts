/**
 * The kinds of sanctions, described once: policies in rooms, forms, `unmute`, `why`, statistics and statements read them here.
 * What each kind says to the person stands in `src/text/statements`, by language.
 */
import type { SanctionParameters } from './sanction-parameters.js';

/** What a sanction may keep a person from in rooms; from being heard, without their knowing. */
export type HinderedAct = 'enter' | 'speak' | 'write' | 'be_heard' | 'speak_at_length';

interface SanctionKind {
  /** What people call it. */
  readonly name: 'ban' | 'mute' | 'warning' | 'restriction';
  /** What the person may not do in rooms. */
  readonly inRooms: readonly HinderedAct[];
  readonly parameter: keyof SanctionParameters | null;
  readonly end: 'required' | 'optional' | 'refused';
  /** When the person gets a statement of reasons. */
  readonly told: 'at_once' | 'once_over' | 'never';
  /** What it restricts, as the Digital Services Act, Article 17(1), lists it; null: nothing. */
  readonly restricts: 'account' | 'service' | 'visibility' | null;
  /** True if it answers how somebody plays, and not what they say. */
  readonly isForPlay: boolean;
  /** True if it is over once it is given. */
  readonly isMomentary: boolean;
  /** What the person does or may do meanwhile, as a sentence without its subject; null: whatever they did before. */
  readonly effect: string | null;
}

const usual = {
  ...{ name: 'restriction', inRooms: [], parameter: null, end: 'optional', told: 'at_once', restricts: 'service' },
  ...{ isForPlay: false, isMomentary: false, effect: null },
} as const satisfies SanctionKind;
const ban = {
  ...{ ...usual, name: 'ban', inRooms: ['enter'], restricts: 'account' },
  effect: 'is kept out of the rooms and gatherings',
} as const satisfies SanctionKind;

const sanctionKinds = {
  warn: { ...usual, name: 'warning', restricts: null, isMomentary: true },
  mute: { ...usual, name: 'mute', inRooms: ['speak', 'write'], effect: 'cannot speak' },
  listen_only: { ...usual, inRooms: ['speak', 'write'], effect: 'can only listen' },
  text_only: { ...usual, inRooms: ['speak'], effect: 'can only write' },
  text_mute: { ...usual, name: 'mute', inRooms: ['write'], effect: 'cannot write' },
  rate_limit: {
    ...{ ...usual, inRooms: ['speak_at_length'], parameter: 'speakingSecondsPerMinute' },
    effect: 'can speak for only some seconds per minute',
  },
  shadow_mute: {
    ...{ ...usual, name: 'mute', inRooms: ['be_heard'], told: 'once_over', restricts: 'visibility' },
    effect: 'speaks and is heard by nobody',
  },
  temp_ban: { ...ban, end: 'required' },
  perm_ban: { ...ban, end: 'refused' },
  ranked_restriction: {
    ...{ ...usual, parameter: 'holdsProgress', isForPlay: true },
    effect: 'is on no leaderboard; the game keeps them out of ranked play',
  },
  queue_delay: { ...usual, parameter: 'delaySeconds', isForPlay: true, effect: 'becomes ready with a delay' },
  party_restriction: {
    ...{ ...usual, parameter: 'maxGatheringSize', isForPlay: true },
    effect: 'can join only small gatherings',
  },
  human_review: { ...usual, told: 'never', restricts: null },
} as const satisfies Readonly<Record<string, SanctionKind>>;

type KindName = keyof typeof sanctionKinds;
export const sanctionTypes = Object.keys(sanctionKinds) as readonly KindName[];

/** Kinds that a person is told about. */
export type ToldType = {
  [Name in KindName]: (typeof sanctionKinds)[Name]['told'] extends 'never' ? never : Name;
}[KindName];

const byType: ReadonlyMap<string, SanctionKind> = new Map(Object.entries(sanctionKinds));
/** Describes a kind by its name as it is stored; one that only a later version knows restricts nothing. */
export const kindOf = (type: string): SanctionKind => byType.get(type) ?? sanctionKinds.warn;
export const isToldType = (type: KindName): type is ToldType => kindOf(type).told !== 'never';

/** Returns the kinds of which this is true. */
export const typesWhere = (isMeant: (kind: SanctionKind) => boolean): readonly KindName[] =>
  sanctionTypes.filter((type) => isMeant(kindOf(type)));

/** Returns the kinds under which somebody may not do this in rooms. */
const typesAgainst = (act: HinderedAct): readonly KindName[] => typesWhere(({ inRooms }) => inRooms.includes(act));

/** The kinds that keep a person out. */
export const banTypes = typesAgainst('enter');
/** The kinds under which others do not hear or read somebody. */
export const silencingTypes = typesWhere(({ inRooms }) =>
  inRooms.some((act) => act === 'speak' || act === 'write' || act === 'be_heard'),
);
