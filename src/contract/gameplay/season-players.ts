/** The players that a simulation of a season makes up: kinds of people, and what each kind does in a session. */
import { z } from 'zod';
import { EventName } from './challenges.js';
import { findGameEvent, propertiesOf, propertyType } from './game-events.js';

export const seasonPlayersMax = 100;
const perMinuteMax = 600;
const choicesMax = 50;

const Whole = z.int().min(-1_000_000_000).max(1_000_000_000);
const Word = z.string().max(1000);

/** Value of a property of an event: always the same, one of several by chance, or a whole number from … to. */
const SeasonPlayerValue = z
  .union([
    Whole,
    Word,
    z
      .array(z.union([Whole, Word]).meta({ id: 'SeasonPlayerChoice' }))
      .min(1)
      .max(choicesMax),
    z.strictObject({ from: Whole, to: Whole }).refine(({ from, to }) => from <= to, 'from must not exceed to'),
  ])
  .meta({ id: 'SeasonPlayerValue' });
export type SeasonPlayerValue = z.infer<typeof SeasonPlayerValue>;

const PerMinute = z.number().min(0).max(perMinuteMax).describe('Events per minute, on average');

/** Rate and properties of an event; a bare number is `perMinute`. */
const SeasonPlayerEvent = z
  .union([
    PerMinute.transform((perMinute) => ({ perMinute, properties: {} })),
    z.strictObject({
      perMinute: PerMinute,
      properties: z
        .record(z.string().max(100), SeasonPlayerValue)
        .default({})
        .describe('Properties of the event; default of a required one: 1, or the name of the property'),
    }),
  ])
  .meta({ id: 'SeasonPlayerEvent' });
type SeasonPlayerEvent = z.infer<typeof SeasonPlayerEvent>;

/** Lists the problems with the properties of an event, each with its path. */
function propertyProblems(name: string, properties: SeasonPlayerEvent['properties']): [string, string][] {
  const event = findGameEvent(name);
  const known = event === null ? [] : propertiesOf(event);
  return Object.entries(properties).flatMap(([property, value]): [string, string][] => {
    if (!known.includes(property)) return [[property, `is not a property of ${name}`]];
    const values = Array.isArray(value) ? value : [typeof value === 'object' ? value.from : value];
    const type = propertyType(property);
    return values.every((one) => typeof one === type) ? [] : [[property, `must be a ${type}`]];
  });
}

const events = z.partialRecord(EventName, SeasonPlayerEvent).check(({ value, issues }) => {
  for (const [name, event] of Object.entries(value))
    for (const [property, message] of propertyProblems(name, event?.properties ?? {}))
      issues.push({ code: 'custom', input: value, path: [name, 'properties', property], message });
});

export const SeasonPlayer = z
  .strictObject({
    name: z.string().trim().min(1).max(100).describe('Name of this kind of player, shown in tables'),
    share: z.number().positive().max(1_000_000).default(1).describe('Weight of this kind among all players'),
    sessionsPerDay: z.number().min(0).max(100).default(1).describe('Sessions per day, on average'),
    minutesPerSession: z.number().min(0).max(1440).default(30).describe('Length of a session, on average'),
    skill: z.number().min(0).max(1).default(0.5).describe('0: a beginner, 1: an expert'),
    events: events.default({}).describe('Events per minute, by event name'),
  })
  .meta({ id: 'SeasonPlayer' });
