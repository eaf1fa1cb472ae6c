import type { IncomingMessage } from 'node:http';
import { placeAt } from '../../../daemon/modules/audit/cursor.js';
import { judgePart, readBody } from '../../../daemon/platform/http/bodies/judge-body.js';
import { ClientAddresses } from '../../../daemon/platform/http/client-addresses.js';
import { refuseUnusableQuery } from '../../../daemon/platform/http/text.js';
import { AuditExportQuery, placeOfEntry } from '../../../src/contract/audit/audit.js';
import { DomainError } from '../../../src/contract/errors.js';
import { EventPayload } from '../../../src/contract/gameplay/gameplay.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';

const addresses = new ClientAddresses(['10.0.0.0/8', 'fd00::/8']);

const behindProxy = (forwarded: string) =>
  addresses.ofRequest({
    socket: { remoteAddress: '10.0.0.1' },
    headers: { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

function parse(input: Buffer) {
  const text = input.toString('utf8');
  return {
    event: unlessRefused(() => judgePart(EventPayload, 'body', readBody(EventPayload, input)), DomainError),
    filter: unlessRefused(() => judgePart(AuditExportQuery, 'query', { after: text }), DomainError),
    query: unlessRefused(() => refuseUnusableQuery(`/api/audit?after=${text}`), DomainError),
    client: behindProxy(text),
  };
}

/** Bodies of game events, cursors of pages, queries, and the addresses that proxies name. */
export const requests: FuzzTarget = {
  name: 'requests',
  maxBytes: 64 * 1024,
  parse,
  check(input) {
    const { event, filter } = parse(input);
    if (event !== null) {
      const expected = EventPayload.parse(JSON.parse(input.toString('utf8').replace(/^\uFEFF/, '')));
      hold(JSON.stringify(event) === JSON.stringify(expected), 'A body means what its schema says.', event, expected);
      const again = EventPayload.parse(readBody(EventPayload, Buffer.from(JSON.stringify(event))));
      hold(JSON.stringify(again) === JSON.stringify(event), 'It is read again as the same.', again, event);
    }
    if (filter === null) return;
    const place = placeAt(input.toString('utf8'));
    hold(!Number.isNaN(place.at.getTime()), 'A cursor names a time.', place);
    const written = placeAt(placeOfEntry({ at: place.at.toISOString(), id: place.id }));
    hold(JSON.stringify(written) === JSON.stringify(place), 'A cursor that is written is read as the same.', place);
  },
  seeds: [
    '{"user_id":"u1","event_name":"achieve-level","event_type":"single","meta_data":{"level_count":3}}',
    '{"event_name":"kill-enemy","user_id":"u","team_id":"t","session_id":"s","meta_data":{"enemy_type":"boss"}}',
    '1767225600000-01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44',
    '203.0.113.9, 10.1.2.3, fd00::1',
    '2001:db8::1%eth0, ::ffff:10.0.0.1',
    'a%20b&x=%C3%A9',
  ],
  words: [
    ...[
      '"user_id"',
      '"event_name"',
      '"event_type"',
      '"meta_data"',
      '"team_id"',
      '"session_id"',
      ':',
      ',',
      '{',
      '}',
      '[',
    ],
    ...[
      'null',
      '"__proto__":',
      '"\\u0000"',
      '"\\ud800"',
      '1e999',
      '-0',
      '%',
      '&',
      '=',
      '-',
      '::',
      '/64',
      '::ffff:',
      ', ',
    ],
  ],
};
