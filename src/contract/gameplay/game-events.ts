/**
 * The catalogue of predefined game events as data, and the reading of an event's meta data. Pure: daemon, client and
 * CLI judge an event by the same code.
 */
import type { ErrorDetail } from '../errors.js';

const stringPropertyLengthMax = 1000;

const RT = 'required_time';
const TC = 'time_condition';

/** Event name → required and optional properties. */
const table = {
  'achieve-score': [['score'], [RT, TC]],
  'build-road': [
    ['amount', 'player_character'],
    ['map_name', 'realm', RT, TC],
  ],
  'capture-flag': [['amount'], ['map_name', 'player_character', RT, TC]],
  'catch-animal': [
    ['amount', 'animal_name'],
    [RT, TC],
  ],
  'character-fly': [
    ['distance', 'player_character'],
    ['realm', RT, TC],
  ],
  'character-respawn': [
    ['amount', 'player_character'],
    ['realm', RT, TC],
  ],
  'character-run': [
    ['distance', 'player_character'],
    ['realm', RT, TC],
  ],
  'character-spawned': [['amount', 'player_character'], [TC]],
  'character-survive': [
    ['duration', 'player_character'],
    ['realm', RT, TC],
  ],
  'character-walk': [
    ['distance', 'player_character'],
    ['realm', RT, TC],
  ],
  'collect-item': [['amount', 'item_type'], []],
  'consume-content': [['content_type'], ['item_id', 'item_type']],
  'craft-item': [
    ['amount', 'item_type'],
    [RT, TC],
  ],
  'deal-damage': [['damage_amount'], ['player_character', RT, TC, 'weapon_used']],
  'defeat-boss': [[], ['enemy_character', 'health', 'hit_type', 'player_character', RT, TC]],
  'destroy-item': [
    ['amount', 'item_id'],
    [RT, TC],
  ],
  'earn-experience': [['amount'], [RT, TC, 'type']],
  'earn-points': [['amount'], [RT, TC, 'type']],
  'event-completed': [
    ['action_type', 'amount'],
    ['action_object', 'action_subject', RT, TC],
  ],
  'finish-building': [['building_id'], ['building_level', RT, TC]],
  'finish-fight': [[], ['battle_status', 'enemy_character', 'health', 'hit_type', 'player_character', RT]],
  'finish-laps': [['lap_position', RT], [TC]],
  'finish-round': [
    ['round_id'],
    ['battle_status', 'enemy_character', 'health', 'player_character', RT, 'round_type', TC],
  ],
  'finish-transport': [['transport_id'], ['distance', 'fuel_consumed', RT, TC]],
  'fire-rate': [['amount'], [RT, TC]],
  'gain-resource': [
    ['amount', 'resource_name'],
    [RT, TC],
  ],
  'heal-unit': [
    ['amount', 'unit_type'],
    [RT, TC],
  ],
  'hire-crew': [
    ['amount', 'crew_name'],
    [RT, TC],
  ],
  'instant-death': [
    ['amount', 'character_name'],
    [RT, TC],
  ],
  'instant-kill': [['amount'], ['character_name', RT, TC]],
  'kill-ammo': [['ammo_used'], ['enemy_type', 'player_character', RT, TC, 'weapon_used']],
  'kill-enemy': [['amount'], ['enemy_type', 'kill_type', 'map_name', 'player_character', 'realm', RT, 'weapon_used']],
  'lap-position': [['lap_position', RT], [TC]],
  'match-start': [[], [TC]],
  'match-finish': [[], [TC]],
  'obtain-item': [['item_id'], ['armor', 'health', RT, TC]],
  'pass-level': [['level_id'], ['armor', 'health', RT, TC]],
  'pass-mission': [['mission_id'], ['armor', 'health', RT, TC]],
  'perform-jump': [['distance'], ['health', RT, 'score', TC]],
  'play-card': [
    ['amount', 'card_type'],
    [RT, TC],
  ],
  'play-effect': [
    ['amount', 'effect_id'],
    [RT, TC],
  ],
  'race-position': [['lap_position'], ['health', RT, TC]],
  'reach-checkpoint': [['checkpoint_id'], ['armor', 'health', RT, TC]],
  'reach-coordinates': [
    ['coordinate_x', 'coordinate_y'],
    [RT, TC],
  ],
  'reach-distance': [['distance'], ['health', RT, TC]],
  'reach-height': [['distance'], ['health', RT, TC]],
  'reach-map-section': [
    ['amount', 'map_section_name'],
    [RT, TC],
  ],
  'reach-progress': [['level_id'], ['armor', 'health', RT, TC]],
  'reach-speed': [['amount'], ['health', RT, TC]],
  'receive-damage': [['damage_amount'], ['enemy_character', 'player_character', RT, TC, 'weapon_used']],
  'replenish-stat': [['amount'], [RT, 'stat_type', TC]],
  'secure-zone': [['amount'], ['map_name', RT, TC, 'zone_name']],
  'solve-puzzle': [
    ['amount', 'puzzle_id'],
    [RT, TC],
  ],
  'spawn-item': [['amount', 'item_type'], [RT]],
  'spray-graffiti': [
    ['amount', 'player_character'],
    ['map_name', 'realm', RT, TC],
  ],
  'trade-resource': [
    ['amount_gained', 'amount_given', 'resource_gained', 'resource_given'],
    [RT, TC],
  ],
  'trigger-event': [['amount'], ['event_type', 'player_character']],
  'upgrade-item': [
    ['amount', 'item_name'],
    [RT, TC],
  ],
  'upgrade-weapon': [
    ['amount', 'weapon_id'],
    ['player_character', RT, TC, 'upgrade_type', 'weapon_used'],
  ],
  'use-item': [
    ['amount', 'item_name'],
    [RT, TC],
  ],
  'user-invite': [['amount'], []],
  'weapon-action': [
    ['amount', 'weapon_id', 'weapon_used'],
    ['player_character', RT, TC],
  ],
  'weapon-activated': [
    ['amount', 'weapon_type'],
    ['duration', TC],
  ],
  'win-bounty': [
    ['amount', 'bounty_name'],
    [RT, TC],
  ],
  'win-match': [
    ['away_score', 'away_team_id', 'home_score', 'home_team_id'],
    [RT, TC],
  ],
  'win-round': [
    ['map_name', 'round_id'],
    ['player_character', RT, 'round_type', TC],
  ],
} as const satisfies Record<string, readonly [readonly string[], readonly string[]]>;

export type GameEventName = keyof typeof table;

/** Meta data values are integers or strings: these are the integers, every other property is a string. */
const numberProperties = new Set([
  ...['amount', 'score', 'distance', 'duration', 'damage_amount', 'health', 'armor', 'building_level', 'battle_status'],
  ...['round_id', 'lap_position', 'required_time', 'fuel_consumed', 'ammo_used', 'coordinate_x', 'coordinate_y'],
  ...['amount_gained', 'amount_given', 'away_score', 'home_score'],
]);

/** Choice: these measure an amount, so they are never negative; a state, a position or a coordinate may be. */
const counts = new Set([
  ...['amount', 'score', 'distance', 'duration', 'damage_amount', 'ammo_used', 'required_time', 'lap_position'],
  ...['amount_gained', 'amount_given', 'fuel_consumed'],
]);

/** If one of these is a required property of the event, it is what the event counts. */
const countables = ['amount', 'score', 'distance', 'duration', 'damage_amount', 'ammo_used'];
const countableExceptions: Readonly<Record<string, string>> = {
  'finish-laps': 'required_time',
  'lap-position': 'required_time',
  'race-position': 'lap_position',
  'trade-resource': 'amount_gained',
};

export interface GameEventDefinition {
  readonly name: GameEventName;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Property whose value is counted; null: the event counts 1. */
  readonly countable: string | null;
}

const definitions: ReadonlyMap<string, GameEventDefinition> = new Map(
  (Object.keys(table) as GameEventName[]).map((name) => {
    const [required, optional] = table[name];
    const countable = countableExceptions[name] ?? required.find((property) => countables.includes(property)) ?? null;
    return [name, { name, required, optional, countable }];
  }),
);

export const gameEvents: readonly GameEventDefinition[] = [...definitions.values()];
export const gameEventNames: readonly GameEventName[] = gameEvents.map(({ name }) => name);

/** null: no event of this name exists. */
export const findGameEvent = (name: string): GameEventDefinition | null => definitions.get(name) ?? null;

export const propertyType = (property: string): 'number' | 'string' =>
  numberProperties.has(property) ? 'number' : 'string';

export const propertiesOf = ({ required, optional }: GameEventDefinition): readonly string[] => [
  ...required,
  ...optional,
];

/** Checks the properties that the event defines; leaves out all others. */
export type GameEventProperties = Readonly<Record<string, number | string>>;

type MetaDataReading =
  | { readonly properties: GameEventProperties; readonly problems?: never }
  | { readonly problems: readonly ErrorDetail[]; readonly properties?: never };

/** Returns the problem with the value of a defined property; null: none. */
const problemWith = (property: string, value: unknown): string | null => {
  if (propertyType(property) === 'string') {
    if (typeof value !== 'string') return 'must be a string';
    return value.length > stringPropertyLengthMax ? `is longer than ${stringPropertyLengthMax} characters` : null;
  }
  if (typeof value !== 'number') return 'must be a number';
  if (!Number.isInteger(value)) return 'must be an integer; convert fractions before sending';
  if (!Number.isSafeInteger(value)) return 'must lie below 2^53';
  return value < 0 && counts.has(property) ? 'must not be negative' : null;
};

/**
 * Reads the meta data of an event: the defined properties, or a problem for each that is missing or wrong, with the
 * path `<field>.<property>`. null counts as absent, because typed SDKs send every field.
 */
export const readMetaData = (
  event: GameEventDefinition,
  metaData: Readonly<Record<string, unknown>>,
  field: 'meta_data' | 'metadata' = 'meta_data',
): MetaDataReading => {
  const problems: ErrorDetail[] = [];
  const properties: Record<string, number | string> = {};
  const read = (property: string, required: boolean) => {
    const value = Object.hasOwn(metaData, property) ? (metaData[property] ?? undefined) : undefined;
    if (value === undefined && !required) return;
    const problem = value === undefined ? 'is required for this event' : problemWith(property, value);
    if (problem !== null) problems.push({ path: `${field}.${property}`, message: problem });
    else if (typeof value === 'number' || typeof value === 'string') properties[property] = value;
  };
  for (const property of event.required) read(property, true);
  for (const property of event.optional) read(property, false);
  return problems.length > 0 ? { problems } : { properties };
};

/**
 * The amount that the event counts, by `countProperty` or, when that is null, by its countable property. null: the
 * event lacks the property and counts nothing.
 */
export const countOf = (
  event: GameEventDefinition,
  properties: GameEventProperties,
  countProperty: string | null,
): number | null => {
  const property = countProperty ?? event.countable;
  if (property === null) return 1;
  const value = properties[property];
  return typeof value === 'number' ? value : null;
};
