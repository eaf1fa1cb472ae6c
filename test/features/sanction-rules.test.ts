import { describe, expect, it } from 'vitest';
import { policyOf, statusOf, termOf } from '../../daemon/features/sanctions/rules.js';
import type { SanctionType } from '../../src/contract/sanctions.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const free = { publish: true, audible: true, banned: null };
const forGood = { banned: { until: null } };

describe('what sanctions in force mean in a room', () => {
  it.each<[string, [SanctionType, Date | null][], object]>([
    ['nothing', [], free],
    ['warn', [['warn', null]], free],
    ['mute', [['mute', null]], { ...free, publish: false }],
    ['listen_only', [['listen_only', at(60)]], { ...free, publish: false }],
    ['text_only', [['text_only', null]], { ...free, publish: false }],
    ['shadow_mute', [['shadow_mute', null]], { ...free, audible: false }],
    ['temp_ban', [['temp_ban', at(60)]], { ...free, banned: { until: at(60) } }],
    ['perm_ban', [['perm_ban', null]], { ...free, ...forGood }],
    [
      'the later of two temp_bans',
      [
        ['temp_ban', at(60)],
        ['temp_ban', at(30)],
      ],
      { ...free, banned: { until: at(60) } },
    ],
    [
      'a perm_ban beside a temp_ban',
      [
        ['temp_ban', at(60)],
        ['perm_ban', null],
      ],
      { ...free, ...forGood },
    ],
    [
      'mute and shadow_mute',
      [
        ['mute', null],
        ['shadow_mute', null],
      ],
      { publish: false, audible: false, banned: null },
    ],
  ])('%s', (_, inForce, policy) => {
    expect(policyOf(inForce.map(([type, endAt]) => ({ type, endAt })))).toEqual(policy);
  });
});

describe('the status of a sanction', () => {
  const term = { startAt: at(0), endAt: at(60), revokedAt: null };
  it.each([
    ['active until its end', term, at(59.999), 'active'],
    ['expired at its end', term, at(60), 'expired'],
    ['revoked, however long it would have lasted', { ...term, revokedAt: at(10) }, at(20), 'revoked'],
    ['revoked, even behind its end', { ...term, revokedAt: at(10) }, at(90), 'revoked'],
    ['active without an end', { ...term, endAt: null }, at(1e6), 'active'],
    ['active before its start', term, at(-60), 'active'],
  ] as const)('is %s', (_, given, now, status) => {
    expect(statusOf(given, now)).toBe(status);
  });
});

describe('the term of a sanction', () => {
  const startAt = at(0);
  it('counts the duration from the start, and the other way round', () => {
    expect(termOf('mute', { startAt, durationSeconds: 60, endAt: null })).toEqual({
      startAt,
      endAt: at(60),
      duration: 60,
    });
    expect(termOf('temp_ban', { startAt, durationSeconds: null, endAt: at(90) }).duration).toBe(90);
  });
  it('has no end when none was asked for', () => {
    expect(termOf('mute', { startAt, durationSeconds: null, endAt: null }).endAt).toBeNull();
  });
  it.each<[string, SanctionType, number | null, Date | null]>([
    ['duration and end together', 'mute', 60, at(60)],
    ['a temp_ban without an end', 'temp_ban', null, null],
    ['a perm_ban with one', 'perm_ban', null, at(60)],
    ['an end at the start', 'mute', null, at(0)],
  ])('refuses %s', (_, type, durationSeconds, endAt) => {
    expect(() => termOf(type, { startAt, durationSeconds, endAt })).toThrow(
      expect.objectContaining({ code: 'sanction_time_invalid' }),
    );
  });
});
