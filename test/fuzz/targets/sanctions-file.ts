import { type BatchFile, batchIn } from '../../../src/cli/files/batch-file.js';
import { batchItemsMax } from '../../../src/contract/moderation/sanction-batches.js';
import { CreateSanctionRequest } from '../../../src/contract/moderation/sanctions.js';
import { inParts } from '../../../src/files/batch-lines.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const parse = (input: Buffer): BatchFile => batchIn(input.toString('utf8'), 'list');

/** Files of sanctions: CSV, or an object a line. */
export const sanctionsFile: FuzzTarget = {
  name: 'sanctions-file',
  maxBytes: 128 * 1024,
  parse,
  check(input) {
    const { items, bad, read } = parse(input);
    const good = new Set(items.map(({ line }) => line));
    hold(
      bad.every(({ line }) => !good.has(line)),
      'A line is good or bad.',
      items,
      bad,
    );
    // If the header is wrong, only that is said.
    const results = items.length + new Set(bad.map(({ line }) => line)).size;
    hold(items.length === 0 || results >= read, 'Every line has a result.', items, bad, read);
    for (const { request, line } of items)
      hold(CreateSanctionRequest.safeParse(request).success && line >= 1, 'What is sent fits its schema.', request);
    const parts = inParts(items);
    hold(parts.flatMap((part) => part.items).length === items.length, 'Every item is in a part.', parts);
    hold(
      parts.every((part) => part.items.length <= batchItemsMax),
      'Parts have a limit.',
      parts,
    );
    // Good items, written as an object a line, are read as the same.
    const written = items.map(({ request }) => JSON.stringify(request));
    const again = items.length === 0 ? [] : batchIn(written.join('\n'), 'list.ndjson').items;
    hold(
      JSON.stringify(again.map(({ request }) => JSON.stringify(request))) === JSON.stringify(written),
      'Items are read again as the same.',
      again,
      written,
    );
  },
  seeds: [
    'type,user,duration,reason\nmute,u_42,10m,"loud, again"\nban,u_1,,\n',
    'kind;player;until;scope\r\nban;u_1;2030-01-01T00:00:00Z;project\r\n',
    '{"type":"mute","externalUserId":"u_42","duration":"2h30m"}\n{"type":"warn","participantId":"x","reason":"r"}',
    '{"type":"temp_ban","externalUserId":"a","startAt":"2030-01-01 18:00","endAt":"2031-01-01","metadata":{"a":[1]}}',
  ],
  words: [
    ...[
      'type',
      'externalUserId',
      'participantId',
      'duration',
      'startAt',
      'endAt',
      'reason',
      'template',
      'note',
      'scope',
    ],
    ...[
      'status',
      'revoked',
      'expired',
      'metadata',
      'parameters',
      'sessionId',
      'mute',
      'ban',
      'warn',
      'kick',
      'perm_ban',
    ],
    ...[
      '10m',
      '2 hours',
      'tomorrow 9:00',
      'mon 18:00',
      'in 2h',
      '2030-01-31T18:00:00Z',
      'last month',
      ',',
      ';',
      '"',
      '\n',
    ],
    ...['{"', '":"', '",', '"}', '[', ']', 'null', '{', '}'],
  ],
};
