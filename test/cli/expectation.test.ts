import { describe, expect, it } from 'vitest';
import { refuseUnknownFields } from '../../src/cli/events/event-fields.js';
import { isSettled, judge, parseExpectation } from '../../src/cli/events/expectation.js';
import { junit } from '../../src/cli/events/junit.js';
import type { DomainEvent } from '../../src/contract/events.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const mute: DomainEvent = {
  ...{ id: 'e1', type: 'sanction.created', source: 'cortex:api', tenantId: 't', projectId: 'p' },
  ...{ resourceId: 'sanction:s1', timestamp: '2026-01-01T00:00:00.000Z' },
  payload: {
    action: 'created',
    data: {
      type: 'mute',
      duration: 600,
      reason: 'much too "loud"',
      isActive: true,
      endAt: null,
      evidence: { ruleId: 'r1' },
    },
    changes: { status: 'active' },
  },
};

describe('an expectation', () => {
  it.each([
    ['sanction.created', true],
    ['sanction.*', true],
    ['*', true],
    ['sanction.revoked', false],
    ['sanction.created where type=mute', true],
    ['sanction.created where type = mute and duration >= 600', true],
    ['sanction.created where type=mute AND duration>600', false],
    ['sanction.created where type!=ban', true],
    ['sanction.created where reason~loud', true],
    [`sanction.created where reason='much too "loud"'`, true],
    ['sanction.created where reason="a and b"', false],
    ['sanction.created where isActive=true', true],
    ['sanction.created where endAt=null', true],
    ['sanction.created where evidence.ruleId=r1', true],
    ['sanction.created where evidence.ruleId.more=r1', false],
    ['sanction.created where changes.status=active', true],
    ['sanction.created where event.resourceId=sanction:s1', true],
    ['sanction.created where nothing=undefined', true],
    ['sanction.created where reason<5', false],
  ])('%s', (text, matches) => {
    expect(parseExpectation(text).matches(mute)).toBe(matches);
  });

  it.each([
    '',
    'two words',
    'a.b where',
    'a.b where x',
    'a.b where x=1 and',
    'a.b where x=1 y=2',
    'a.b where =1',
    'a.b where x>=10m',
  ])('is not understood as "%s"', (text) => expect(() => parseExpectation(text)).toThrow(UsageError));

  it.each([
    ['sanction.created where tpye=mute', 'where tpye: there is no such field. Did you mean type?'],
    ['sanction.* where type=mute and durration>=600', 'Did you mean duration?'],
    ['sanction.created where changes.satus=active', 'Did you mean status?'],
    ['sanction.created where event.resourceID=x', 'Did you mean resourceId?'],
    ['gathering.member.joined where member.roel=owner', 'Did you mean role?'],
    ['* where nobodyHasThisField=1', 'there is no such field.'],
  ])('of a field that no such event has is refused with the nearest: %s', (text, says) => {
    expect(() => refuseUnknownFields([parseExpectation(text)], {})).toThrow(says);
    expect(() => refuseUnknownFields([parseExpectation(text)], { ingested: true })).not.toThrow();
  });

  it.each([
    'sanction.created where type=mute and duration>=600',
    'sanction.created where changes.status=active and event.payload.data.type=mute',
    'gathering.member.joined where member.role=owner and memberCount>1',
    'sanction.* where redacted=true',
    '* where event.type~sanction',
    'room.opened where players=3',
  ])('of fields that such events have is taken: %s', (text) => {
    const ingested = text.startsWith('room.opened');
    expect(() => refuseUnknownFields([parseExpectation(text)], { ingested })).not.toThrow();
  });

  it.each([
    [null, 0, 'missing', false],
    [null, 1, 'met', true],
    [null, 9, 'met', true],
    [2, 1, 'missing', false],
    [2, 2, 'met', false], // a third one may still come
    [2, 3, 'surplus', true],
    [0, 0, 'met', false],
    [0, 1, 'surplus', true],
  ] as const)('of count %s is, after %s events, %s', (count, seen, outcome, settled) => {
    const wanted = { expectation: parseExpectation('*'), count };
    expect([judge(wanted, seen), isSettled(wanted, seen)]).toEqual([outcome, settled]);
  });
});

describe('a JUnit file', () => {
  it('counts, and writes whatever was said as XML', () => {
    const failure = { message: 'a "b" <c> & \u0000', detail: '' };
    const text = junit('suite', [
      { name: 'one', seconds: 0.5, failure: null },
      { name: 'two', seconds: 1, failure },
    ]);
    expect(text).toContain('<testsuites tests="2" failures="1" time="1.000">');
    expect(text).toContain('<testcase classname="suite" name="one" time="0.500"/>');
    expect(text).toContain('message="a &quot;b&quot; &lt;c&gt; &amp; \ufffd"');
  });
});
