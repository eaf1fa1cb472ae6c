/** Hours and weekdays of conditions, where clocks go over midnight, and where they change. */
import { describe, expect, it } from 'vitest';
import { isWithin } from '../../daemon/modules/rules/judging/local-time.js';
import { RuleDefinition, type TimeCondition } from '../../src/contract/rules/rule-definition.js';

const berlin = 'Europe/Berlin';
const night = { from: '22:00', to: '06:00', timeZone: berlin };

describe('a condition on local time', () => {
  it.each<[string, TimeCondition, string, boolean]>([
    ['its first minute', night, '2026-07-03T20:00:00Z', true],
    ['the minute before', night, '2026-07-03T19:59:59Z', false],
    ['its end, which does not belong to it', night, '2026-07-04T04:00:00Z', false],
    ['winter, when clocks are an hour behind', night, '2026-01-02T20:59:00Z', false],
    ['Friday night', { ...night, weekdays: ['fri'] }, '2026-07-03T21:00:00Z', true],
    ['Friday night, after midnight', { ...night, weekdays: ['fri'] }, '2026-07-04T02:00:00Z', true],
    ['Friday before dawn, which is Thursday night', { ...night, weekdays: ['fri'] }, '2026-07-03T02:00:00Z', false],
    ['Monday before dawn, which is Sunday night', { ...night, weekdays: ['sun'] }, '2026-07-06T02:00:00Z', true],
    ['a day alone', { weekdays: ['sat', 'sun'], timeZone: berlin }, '2026-07-03T22:30:00Z', true],
    ['another day', { weekdays: ['sat', 'sun'], timeZone: 'UTC' }, '2026-07-03T22:30:00Z', false],
    ['an hour that clocks skip', { from: '02:00', to: '03:00', timeZone: berlin }, '2026-03-29T01:30:00Z', false],
    ['an hour that clocks show twice', { from: '02:00', to: '03:00', timeZone: berlin }, '2026-10-25T01:30:00Z', true],
  ])('%s', (_, condition, at, expected) => {
    expect(isWithin(condition, new Date(at))).toBe(expected);
  });

  it.each([
    ['no zone of the list', { from: '22:00', to: '06:00', timeZone: 'Berlin' }],
    ['half of the hours', { from: '22:00' }],
    ['no hours', { from: '22:00', to: '22:00' }],
    ['no time', { from: '24:00', to: '06:00' }],
    ['nothing', { timeZone: berlin }],
  ])('is refused where it states %s', (_, localTime) => {
    const definition = { format: 1, when: { all: [{ localTime }] }, steps: [[{ webhook: {} }]] };
    expect(RuleDefinition.safeParse(definition).success).toBe(false);
  });
});
