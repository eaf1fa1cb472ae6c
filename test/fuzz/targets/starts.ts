import { placeOf, type StreamStartRequest } from '../../../daemon/modules/streams/place.js';
import type { EventLog } from '../../../daemon/platform/events/log.js';
import { judgePart } from '../../../daemon/platform/http/bodies/judge-body.js';
import { DomainError } from '../../../src/contract/errors.js';
import { eventRoutes } from '../../../src/contract/streams/event-streams.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';

const { query: Query, headers: Headers } = eventRoutes.streamAll;
const newest = 9n;

/** A log that knows no event; throws where a time is none, as the database would. */
const log = {
  head: async () => newest,
  find: async () => null,
  positionBefore: async (at: Date) => BigInt(Math.sign(Date.parse(at.toISOString()))) + 1n,
  positionBeforeId: async () => 3n,
  pages: { newestAt: async () => null, oldest: async () => null },
} as unknown as EventLog;
const reach = { tenantId: 't', projects: new Set(['p']), tenantBut: null, audit: false };

interface Asked {
  readonly 'last-event-id'?: string | undefined;
  readonly since?: string | undefined;
}

function requestOf({ 'last-event-id': lastEventId, since }: Asked): StreamStartRequest {
  if (lastEventId !== undefined && lastEventId !== '') return { lastEventId };
  return since === undefined || since === '' ? null : { since };
}

const parse = async (input: Buffer) => {
  const text = input.toString('utf8');
  const headers = unlessRefused(() => judgePart(Headers, 'headers', { 'last-event-id': text }), DomainError);
  const query = unlessRefused(() => judgePart(Query, 'query', { since: text }), DomainError);
  const starts = [];
  for (const asked of [headers, query] as readonly (Asked | null)[])
    if (asked !== null) starts.push(await placeOf(log, reach, requestOf(asked)));
  return starts;
};

/** The places at which streams begin: Last-Event-ID, an id, a time. */
export const starts: FuzzTarget = {
  name: 'starts',
  maxBytes: 8 * 1024,
  parse,
  async check(input) {
    for (const { after, begin, gap } of await parse(input)) {
      hold(after >= 0n && after <= newest, 'A stream begins in the log.', after);
      hold(begin === 'earliest', 'It names what is there.', begin);
      hold(gap === null || gap.lastEventId === input.toString('utf8'), 'A gap names what was asked for.', gap);
    }
  },
  seeds: [
    'earliest',
    '',
    '01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.5+02:00',
  ],
  words: [
    'earliest',
    '-',
    '0000',
    '7',
    'T',
    'Z',
    ':',
    '+',
    '2026',
    '9999',
    '\u0000',
    '01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
  ],
};
