import { describe, expect, it } from 'vitest';
import {
  isInForce,
  parametersOf,
  policyIn,
  policyOf,
  roomPoliciesOf,
  statusOf,
  termOf,
} from '../../daemon/modules/moderation/sanctions/rules.js';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const free = {
  publish: true,
  audible: true,
  speakingSecondsPerMinute: null,
  silenced: null,
  textSilenced: null,
  limited: null,
  banned: null,
};
const holding = (type: SanctionType, endAt: Date | null = null) => ({
  standingUrl: `/standing/${type}`,
  type,
  endAt,
  reason: `for ${type}`,
  parameters: null,
  sessionId: null,
});
const told = (type: SanctionType, until: Date | null = null) => ({
  ...{ standingUrl: `/standing/${type}`, reason: `for ${type}`, until },
});

describe('what sanctions in force mean in a room', () => {
  it.each<[string, [SanctionType, Date | null][], object]>([
    ['nothing', [], free],
    ['warn', [['warn', null]], free],
    ['mute', [['mute', null]], { ...free, publish: false, silenced: told('mute'), textSilenced: told('mute') }],
    [
      'listen_only',
      [['listen_only', at(60)]],
      { ...free, publish: false, silenced: told('listen_only', at(60)), textSilenced: told('listen_only', at(60)) },
    ],
    ['text_only', [['text_only', null]], { ...free, publish: false, silenced: told('text_only') }],
    ['text_mute', [['text_mute', null]], { ...free, textSilenced: told('text_mute') }],
    ['shadow_mute', [['shadow_mute', null]], { ...free, audible: false }],
    ['temp_ban', [['temp_ban', at(60)]], { ...free, banned: told('temp_ban', at(60)) }],
    ['perm_ban', [['perm_ban', null]], { ...free, banned: told('perm_ban') }],
    [
      'the later of two temp_bans',
      [
        ['temp_ban', at(60)],
        ['temp_ban', at(30)],
      ],
      { ...free, banned: told('temp_ban', at(60)) },
    ],
    [
      'a perm_ban beside a temp_ban',
      [
        ['temp_ban', at(60)],
        ['perm_ban', null],
      ],
      { ...free, banned: told('perm_ban') },
    ],
    [
      'mute and shadow_mute',
      [
        ['mute', null],
        ['shadow_mute', null],
      ],
      { ...free, publish: false, audible: false, silenced: told('mute'), textSilenced: told('mute') },
    ],
    ['rate_limit', [['rate_limit', null]], { ...free, speakingSecondsPerMinute: 20, limited: told('rate_limit') }],
    ['human_review', [['human_review', null]], free],
  ])('%s', (_, inForce, policy) => {
    expect(policyOf(inForce.map(([type, endAt]) => holding(type, endAt)))).toEqual(policy);
  });
});

describe('a sanction that is limited to a session', () => {
  const mute = { ...holding('mute'), sessionId: 's1' };
  const elsewhere = { ...holding('temp_ban', at(60)), sessionId: 's2' };
  const limits = [10, 5].map((speakingSecondsPerMinute) => ({
    ...holding('rate_limit'),
    parameters: { speakingSecondsPerMinute },
  }));

  it('holds in the room of its session, beside what holds everywhere', () => {
    const { everywhere, inRooms } = roomPoliciesOf([mute, elsewhere, ...limits], new Map([['s1', 'arena']]));
    expect(everywhere).toEqual({ ...free, speakingSecondsPerMinute: 5, limited: told('rate_limit') });
    expect(policyIn({ everywhere, inRooms }, 'arena')).toMatchObject({ publish: false });
    expect(policyIn({ everywhere, inRooms }, 'lounge')).toEqual(everywhere);
    expect([...inRooms]).toEqual([
      ['arena', { ...everywhere, publish: false, silenced: told('mute'), textSilenced: told('mute') }],
    ]);
  });
});

describe('the parameters of a sanction', () => {
  it.each<[SanctionType, object | undefined, object | null]>([
    ['rate_limit', undefined, { speakingSecondsPerMinute: 20 }],
    ['rate_limit', { speakingSecondsPerMinute: 5 }, { speakingSecondsPerMinute: 5 }],
    ['party_restriction', {}, { maxGatheringSize: 1 }],
    ['queue_delay', undefined, { delaySeconds: 30 }],
    ['mute', undefined, null],
  ])('of %s with %j are %j', (type, wished, parameters) => {
    expect(parametersOf(type, wished)).toEqual(parameters);
  });

  it('are refused on another kind', () => {
    expect(() => parametersOf('queue_delay', { maxGatheringSize: 4 })).toThrow(
      expect.objectContaining({ code: 'sanction_parameters_invalid' }),
    );
  });
});

describe('the status of a sanction', () => {
  const term = { startAt: at(0), begunAt: at(0), endAt: at(60), expiredAt: null, revokedAt: null };
  it.each([
    ['active until its end', term, at(59.999), 'active'],
    ['expired at its end', term, at(60), 'expired'],
    ['revoked, however long it would have lasted', { ...term, revokedAt: at(10) }, at(20), 'revoked'],
    ['revoked, even behind its end', { ...term, revokedAt: at(10) }, at(90), 'revoked'],
    ['active without an end', { ...term, endAt: null }, at(1e6), 'active'],
    ['active before its start', term, at(-60), 'active'],
    ['expired once that was told, though the clock went back', { ...term, expiredAt: at(60) }, at(-60), 'expired'],
  ] as const)('is %s', (_, given, now, status) => {
    expect(statusOf(given, now)).toBe(status);
  });
});

describe('a sanction is in force', () => {
  const term = { startAt: at(0), begunAt: null, endAt: at(60), expiredAt: null, revokedAt: null };
  it.each([
    ['not before its start', term, at(-0.001), false],
    ['from its start on', term, at(0), true],
    ['until its end', term, at(59.999), true],
    ['not at its end', term, at(60), false],
    ['once it began, though the clock went back', { ...term, begunAt: at(0) }, at(-86_400), true],
  ] as const)('%s', (_, given, now, inForce) => {
    expect(isInForce(given, now)).toBe(inForce);
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
