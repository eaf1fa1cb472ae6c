import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatheringInvitationEmails } from '../../daemon/modules/gatherings/invitation-emails.js';
import { makeJoinCode, readJoinCode } from '../../daemon/modules/gatherings/join-code.js';
import {
  afterMove,
  dueAt,
  dueMove,
  expiresAt,
  readyDelayMs,
  refuseBackwards,
  refuseSanctioned,
  type SeatRequest,
  seatRequest,
  statusesOf,
  type Timing,
} from '../../daemon/modules/gatherings/rules.js';
import type { GatheringRow } from '../../daemon/modules/gatherings/store.js';
import type { SanctionInForce } from '../../daemon/modules/moderation/sanctions/in-force.js';
import { MailAllowance } from '../../daemon/platform/mail/mail-allowance.js';
import type { UpdateMemberRequest } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringTypes } from '../../src/contract/gatherings/gathering-search.js';
import { gatheringStatuses } from '../../src/contract/gatherings/gatherings.js';

const at = (hours: number): Date => new Date(Date.UTC(2026, 0, 1, hours));
const lobby: Timing = { type: 'lobby', status: 'CREATED', startsAt: null, endsAt: null, emptySince: null };
const date = { type: 'appointment', startsAt: at(10), endsAt: at(12) } as const;

describe('states: CREATED → STARTED → ENDED; CREATED|STARTED → CANCELLED; CREATED → EXPIRED', () => {
  it.each([
    ['CREATED', 'start', 'STARTED'],
    ['STARTED', 'start', 'STARTED'],
    ['CREATED', 'end', 'ENDED'],
    ['STARTED', 'end', 'ENDED'],
    ['ENDED', 'end', 'ENDED'],
    ['CREATED', 'cancel', 'CANCELLED'],
    ['STARTED', 'cancel', 'CANCELLED'],
    ['CREATED', 'expire', 'EXPIRED'],
  ] as const)('%s, %s → %s', (status, move, then) => {
    expect(afterMove(status, move)).toBe(then);
  });

  it.each([
    ['ENDED', 'start'],
    ['CANCELLED', 'start'],
    ['CANCELLED', 'end'],
    ['CANCELLED', 'cancel'],
    ['EXPIRED', 'start'],
    ['EXPIRED', 'cancel'],
    ['ENDED', 'cancel'],
  ] as const)('%s, %s is refused', (status, move) => {
    expect(() => afterMove(status, move)).toThrow(expect.objectContaining({ code: 'gathering_closed' }));
  });
});

describe('a filter by status', () => {
  it.each([
    ['pending', ['CREATED']],
    ['active', ['CREATED', 'STARTED']],
    ['started', ['STARTED']],
    ['ended', ['ENDED']],
    ['cancelled', ['CANCELLED']],
    ['expired', ['EXPIRED']],
  ] as const)('%s means %o', (filter, statuses) => {
    expect(statusesOf(filter)).toEqual(statuses);
  });
});

describe('a change of a member', () => {
  it.each<[UpdateMemberRequest, SeatRequest]>([
    [{}, { seat: 'keep', ready: null }],
    [{ ready: true }, { seat: 'keep', ready: true }],
    [{ ready: false }, { seat: 'keep', ready: false }],
    [{ role: 'owner' }, { seat: 'keep', ready: null }],
    [{ status: 'joined' }, { seat: 'take', ready: false }],
    [{ status: 'ready' }, { seat: 'take', ready: true }],
    [
      { status: 'ready', ready: true },
      { seat: 'take', ready: true },
    ],
    [{ status: 'left' }, { seat: 'leave', ready: null }],
    [
      { status: 'left', ready: false },
      { seat: 'leave', ready: null },
    ],
  ])('%o asks for %o', (request, wanted) => {
    expect(seatRequest(request)).toEqual(wanted);
  });

  it.each<UpdateMemberRequest>([
    { status: 'invited' },
    { status: 'left', ready: true },
    { status: 'left', role: 'owner' },
    { status: 'ready', ready: false },
    { status: 'joined', ready: true },
  ])('%o contradicts itself', (request) => {
    expect(() => seatRequest(request)).toThrow(expect.objectContaining({ code: 'member_change_invalid' }));
  });
});

describe('the times of an appointment', () => {
  it.each([
    [null, null, true],
    [at(1), null, true],
    [null, at(1), true],
    [at(1), at(2), true],
    [at(1), at(1), false],
    [at(2), at(1), false],
  ])('from %s to %s: %s', (startsAt, endsAt, fits) => {
    const judge = expect(() => refuseBackwards(startsAt, endsAt));
    if (fits) judge.not.toThrow();
    else judge.toThrow(expect.objectContaining({ code: 'gathering_time_invalid' }));
  });
});

describe('what happens by itself', () => {
  it.each<[string, Timing, Date | null]>([
    ['a lobby with members stays', lobby, null],
    ['an empty one goes after 24 hours', { ...lobby, emptySince: at(1) }, at(25)],
    ['one that has started stays', { ...lobby, status: 'STARTED', emptySince: at(1) }, null],
    ['an appointment goes an hour after its end', { ...lobby, ...date }, at(13)],
    ['one without an end 24 hours after its start', { ...lobby, ...date, endsAt: null }, at(34)],
    ['members do not keep an appointment', { ...lobby, ...date, emptySince: null }, at(13)],
    ['one without times is like the others', { ...lobby, type: 'appointment', emptySince: at(2) }, at(26)],
  ])('%s', (_, timing, then) => {
    expect(expiresAt(timing)).toEqual(then);
  });

  it.each<[string, Timing, Date, ReturnType<typeof dueMove>]>([
    ['an appointment does not start early', { ...lobby, ...date }, new Date(at(10).getTime() - 1), null],
    ['it starts on time', { ...lobby, ...date }, at(10), 'start'],
    ['it starts late after a stop', { ...lobby, ...date }, new Date(at(13).getTime() - 1), 'start'],
    ['slept through, it expires', { ...lobby, ...date }, at(13), 'expire'],
    ['started, it ends an hour after its end', { ...lobby, ...date, status: 'STARTED' }, at(13), 'end'],
    ['a lobby with a start does not start', { ...lobby, startsAt: at(10) }, at(11), null],
  ])('%s', (_, timing, now, then) => {
    expect(dueMove(timing, now)).toBe(then);
  });

  const hours = fc.option(fc.integer({ min: 0, max: 60 }).map(at), { nil: null });
  const timings = fc.record({
    type: fc.constantFrom(...gatheringTypes),
    status: fc.constantFrom(...gatheringStatuses),
    startsAt: hours,
    endsAt: hours,
    emptySince: hours,
  });

  it('is due exactly from the time on that is kept for looking again', () => {
    fc.assert(
      fc.property(timings, fc.integer({ min: 0, max: 120 }).map(at), (timing, now) => {
        const due = dueAt(timing);
        expect(dueMove(timing, now) !== null).toBe(due !== null && due <= now);
      }),
    );
  });

  it('comes to rest, however long the daemon slept', () => {
    fc.assert(
      fc.property(timings, (timing) => {
        let current = timing;
        for (let step = 0; step < 3; step += 1) {
          const move = dueMove(current, at(10_000));
          if (move === null) return;
          current = { ...current, status: afterMove(current.status, move) };
        }
        throw new Error('It moves on and on.');
      }),
    );
  });
});

describe('sanctions', () => {
  const one = (sanction: Partial<SanctionInForce> & Pick<SanctionInForce, 'type'>): SanctionInForce => ({
    parameters: null,
    endAt: null,
    sessionId: null,
    ...sanction,
  });

  it.each([
    ['a ban for good', [one({ type: 'perm_ban' })], 2, 'participant_banned'],
    ['a restriction that states no size means alone', [one({ type: 'party_restriction' })], 2, 'party_restricted'],
    [
      'the strictest size counts',
      [
        one({ type: 'party_restriction', parameters: { maxGatheringSize: 9 } }),
        one({ type: 'party_restriction', parameters: { maxGatheringSize: 4 } }),
      ],
      5,
      'party_restricted',
    ],
  ])('%s', (_, inForce, seats, code) => {
    expect(() => refuseSanctioned(inForce, seats)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['a mute is no matter', [one({ type: 'mute' })], 8],
    ['a ban from one session is no matter', [one({ type: 'temp_ban', sessionId: 's' })], 8],
    ['the allowed size is allowed', [one({ type: 'party_restriction', parameters: { maxGatheringSize: 4 } })], 4],
  ])('%s', (_, inForce, seats) => {
    expect(() => refuseSanctioned(inForce, seats)).not.toThrow();
  });

  it('delay the ready mark by the longest delay, 30 seconds where none is stated', () => {
    expect(readyDelayMs([one({ type: 'warn' })])).toBe(0);
    expect(readyDelayMs([one({ type: 'queue_delay' })])).toBe(30_000);
    const longer = one({ type: 'queue_delay', parameters: { delaySeconds: 45 } });
    expect(readyDelayMs([one({ type: 'queue_delay' }), longer])).toBe(45_000);
  });
});

describe('join codes', () => {
  it('are eight of 32 characters, each as likely, and read back as they are told', () => {
    const codes = Array.from({ length: 4_000 }, makeJoinCode);
    expect(new Set(codes).size).toBe(codes.length);
    const counts = new Map<string, number>();
    for (const code of codes) {
      expect(readJoinCode(`${code.slice(0, 4)}-${code.slice(4)} `.toLowerCase())).toBe(code);
      for (const letter of code) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250); // 8 standard deviations
  });

  it.each(['', 'ABCDEFG', 'ABCDEFGHJ', 'ABCDEFG0', 'ABCDEFGI', '٣٣٣٣٣٣٣٣', "' OR 1=1"])('"%s" is none', (text) => {
    expect(readJoinCode(text)).toBeNull();
  });
});

describe('letters', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `u${index}@example.test`);
  const unset = { description: null, startsAt: null, endsAt: null, inviterName: null, inviterEmail: null };
  const row = { name: 'Friday', joinCode: 'ABCDEFGH', ...unset, invitationUrl: null } as GatheringRow;

  it('are so many an hour for a tenant, and then refused', async () => {
    const letters = new GatheringInvitationEmails({ send: async () => false }, new MailAllowance(200));
    const write = (tenantId: string, count: number) =>
      letters.during(tenantId, addresses(count), async (send) => send(row));
    for (let hundred = 0; hundred < 2; hundred += 1) await write('t1', 100);
    await expect(write('t1', 1)).rejects.toMatchObject({ code: 'rate_limited' });
    await write('t2', 100);
  });

  it('cost nothing where the work fails', async () => {
    const letters = new GatheringInvitationEmails({ send: async () => false }, new MailAllowance(100));
    const fail = () => letters.during('t1', addresses(100), () => Promise.reject(new Error('refused')));
    for (let time = 0; time < 3; time += 1) await expect(fail()).rejects.toThrow('refused');
    await letters.during('t1', addresses(100), async (send) => send(row));
    await expect(fail()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
