import { describe, expect, it } from 'vitest';
import { satisfies } from '../../daemon/modules/game-events/model/conditions.js';
import { MetadataCondition } from '../../src/contract/gameplay/challenges.js';

const condition = (key: string, values: (string | number)[], conjunction?: 'AND' | 'OR') =>
  MetadataCondition.parse({ key, values, conjunction });
const orcInTheWoods = { amount: 1, enemy_type: 'orc', map_name: 'woods', health: 30 };

describe('metadata conditions', () => {
  it.each([
    ['none: every event counts', [], true],
    ['one of the values', [condition('enemy_type', ['elf', 'orc'])], true],
    ['none of the values', [condition('enemy_type', ['elf'])], false],
    ['a property that the event lacks', [condition('realm', ['north'])], false],
    ['a number, written as a number or as text', [condition('health', ['30'])], true],
    ['AND needs both', [condition('enemy_type', ['orc']), condition('map_name', ['caves'], 'AND')], false],
    ['OR needs one', [condition('enemy_type', ['elf']), condition('map_name', ['woods'], 'OR')], true],
    [
      'left to right: (elf AND caves) OR woods',
      [condition('enemy_type', ['elf']), condition('map_name', ['caves']), condition('map_name', ['woods'], 'OR')],
      true,
    ],
    [
      'left to right: (orc OR caves) AND elf',
      [condition('enemy_type', ['orc']), condition('map_name', ['caves'], 'OR'), condition('enemy_type', ['elf'])],
      false,
    ],
  ])('%s', (_, conditions, expected) => expect(satisfies(orcInTheWoods, conditions)).toBe(expected));
});
