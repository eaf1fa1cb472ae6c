import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  countOf,
  findGameEvent,
  type GameEventDefinition,
  gameEvents,
  propertiesOf,
  propertyType,
  readMetaData,
} from '../../src/contract/gameplay/game-events.js';

const Catalogue = z.object({
  number_properties: z.array(z.string()),
  string_properties: z.array(z.string()),
  events: z.array(
    z.object({
      event_name: z.string(),
      required: z.array(z.string()),
      optional: z.array(z.string()),
      countable: z.string().nullable(),
    }),
  ),
});
const catalogue = Catalogue.parse(JSON.parse(readFileSync(new URL('event-catalogue.json', import.meta.url), 'utf8')));

const event = (name: string): GameEventDefinition => {
  const found = findGameEvent(name);
  if (found === null) throw new Error(`no event ${name}`);
  return found;
};
const sample = (definition: GameEventDefinition) =>
  Object.fromEntries(propertiesOf(definition).map((name) => [name, propertyType(name) === 'number' ? 7 : 'x']));

describe('the catalogue of game events', () => {
  it('holds the 66 public game events, property by property', () => {
    expect(gameEvents).toHaveLength(66);
    const ours = gameEvents.map(({ name, required, optional, countable }) => ({
      event_name: name,
      required: [...required].sort(),
      optional: [...optional].sort(),
      countable,
    }));
    const theirs = catalogue.events.map((entry) => ({
      ...entry,
      required: [...entry.required].sort(),
      optional: [...entry.optional].sort(),
    }));
    expect(ours).toEqual(theirs);
  });

  it('types every property as the document does', () => {
    for (const name of catalogue.number_properties) expect(propertyType(name), name).toBe('number');
    for (const name of catalogue.string_properties) expect(propertyType(name), name).toBe('string');
  });
});

describe.each(gameEvents.map((definition) => [definition.name, definition] as const))(
  'meta data of %s',
  (_, definition) => {
    it('is accepted complete and with the required properties alone', () => {
      const complete = sample(definition);
      expect(readMetaData(definition, complete)).toEqual({ properties: complete });
      const required = Object.fromEntries(definition.required.map((name) => [name, complete[name]]));
      expect(readMetaData(definition, required)).toEqual({ properties: required });
    });

    it('is refused by name for each required property that is missing', () => {
      for (const missing of definition.required) {
        const { [missing]: _, ...rest } = sample(definition);
        expect(readMetaData(definition, rest)).toEqual({
          problems: [{ path: `meta_data.${missing}`, message: 'is required for this event' }],
        });
      }
    });

    it('is refused by name for each property of the wrong type', () => {
      for (const wrong of propertiesOf(definition)) {
        const value = propertyType(wrong) === 'number' ? '7' : 7;
        const { problems } = readMetaData(definition, { ...sample(definition), [wrong]: value });
        expect(problems?.map(({ path }) => path)).toEqual([`meta_data.${wrong}`]);
      }
    });

    it('counts its countable property, or 1', () => {
      expect(countOf(definition, { ...sample(definition) }, null)).toBe(definition.countable === null ? 1 : 7);
    });
  },
);

describe('readMetaData', () => {
  const kill = event('kill-enemy');

  it.each([
    [3, null],
    [0, null],
    [2 ** 53 - 1, null],
    [2 ** 53, 'must lie below 2^53'],
    [1.5, 'must be an integer; convert fractions before sending'],
    [-1, 'must not be negative'],
    [true, 'must be a number'],
    [Number.NaN, 'must be an integer; convert fractions before sending'],
  ])('judges the amount %s: %s', (amount, message) => {
    const problems = message === null ? undefined : [{ path: 'meta_data.amount', message }];
    expect(readMetaData(kill, { amount }).problems).toEqual(problems);
  });

  it('lets coordinates and health be negative', () => {
    expect(readMetaData(event('reach-coordinates'), { coordinate_x: -4, coordinate_y: -9 }).problems).toBeUndefined();
  });

  it('ignores keys that are not defined for the event, inherited names included', () => {
    expect(readMetaData(kill, { amount: 1, level_id: 5, constructor: 1, __proto__: { map_name: 3 } })).toEqual({
      properties: { amount: 1 },
    });
  });

  it('takes null for absent', () => {
    expect(readMetaData(kill, { amount: 1, map_name: null })).toEqual({ properties: { amount: 1 } });
    expect(readMetaData(kill, { amount: null }).problems).toHaveLength(1);
  });

  it('never yields a property that is not an integer or a string of the event', () => {
    fc.assert(
      fc.property(fc.constantFrom(...gameEvents), fc.dictionary(fc.string(), fc.jsonValue()), (definition, extra) => {
        const { properties = {} } = readMetaData(definition, { ...sample(definition), ...extra });
        for (const [name, value] of Object.entries(properties)) {
          expect(propertiesOf(definition)).toContain(name);
          expect(typeof value).toBe(propertyType(name));
          if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
        }
      }),
    );
  });
});

describe('countOf', () => {
  it('counts another property when told to, and nothing where the event lacks it', () => {
    const jump = event('perform-jump');
    expect(countOf(jump, { distance: 5, score: 9 }, 'score')).toBe(9);
    expect(countOf(jump, { distance: 5 }, 'score')).toBeNull();
  });
});
