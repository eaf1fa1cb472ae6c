/** Both databases return every value of a column as it was stored, however many rows are stored at once. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkRows } from '../../../daemon/platform/database/bulk-rows.js';
import type { Transaction } from '../../../daemon/platform/database/database.js';
import { DomainError } from '../../../src/contract/errors.js';
import { openPostgresql, openSqlite, type TestDatabase } from '../../support/database.js';
import { hasPostgresql } from '../../support/postgresql.js';
import { scale } from '../../support/scale.js';

const payloadRows = bulkRows('WebhookPayload');
const cursorRows = bulkRows('Cursor');
const attemptRows = bulkRows('IdempotencyRecord');

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).filter((one) => !one.includes('\0') && one.isWellFormed()),
  fc.constantFrom(
    '',
    "'",
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    '👩‍👩‍👧',
    '{"a":null}',
    'null',
    '2026-01-01',
    '1e999',
    '\u2028',
  ),
);
/** Years 1 to 9999, in milliseconds. */
const time = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const int32 = fc.oneof(fc.integer(), fc.constantFrom(0, 2 ** 31 - 1, -(2 ** 31)));
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)),
);

const payloads = fc.uniqueArray(
  fc.record({ eventId: text, projectId: text, payload: text, subjectUserId: orNull(text), redactedAt: orNull(time) }),
  { selector: ({ eventId }) => eventId, maxLength: 20 },
);
const cursors = fc.uniqueArray(
  fc.record({
    ...{ name: text, tenantId: orNull(text), projectId: orNull(text) },
    ...{ position: int64, enabled: fc.boolean(), updatedAt: time },
  }),
  { selector: ({ name }) => name, maxLength: 20 },
);
const records = fc.uniqueArray(
  fc.record({
    id: text,
    holder: orNull(text),
    projectId: orNull(text),
    requestHash: text,
    status: orNull(int32),
    body: orNull(text),
    createdAt: time,
    expiresAt: time,
  }),
  { selector: ({ id }) => id, maxLength: 20 },
);
const runs = { numRuns: scale(15, 1_000) };

/** Rolls back what a try has written, so that the next one finds empty tables. */
class Enough extends Error {}
const trying = ({ database }: TestDatabase, work: (tx: Transaction) => Promise<void>): Promise<void> =>
  database
    .transaction(async (tx) => {
      await work(tx);
      throw new Enough();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Enough)) throw error;
    });
const sorted = <T extends object>(rows: readonly T[], by: keyof T): T[] =>
  [...rows].sort((a, b) => (String(a[by]) < String(b[by]) ? -1 : 1));

describe.each([
  { name: 'SQLite', open: openSqlite, skip: false },
  { name: 'PostgreSQL', open: openPostgresql, skip: !hasPostgresql },
])('$name', ({ open, skip }) => {
  describe.skipIf(skip)('rows in sets', () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const dialect = () => opened.database.dialect;

    it('gives back texts, times and nulls', () =>
      fc.assert(
        fc.asyncProperty(payloads, (rows) =>
          trying(opened, async (tx) => {
            await tx.$executeRawUnsafe(payloadRows.insert(dialect()), payloadRows.text(rows));
            expect(sorted(await tx.webhookPayload.findMany(), 'eventId')).toEqual(sorted(rows, 'eventId'));
          }),
        ),
        runs,
      ));

    it('gives back numbers and booleans up to their edges', () =>
      fc.assert(
        fc.asyncProperty(cursors, records, (places, noted) =>
          trying(opened, async (tx) => {
            await tx.$executeRawUnsafe(cursorRows.insert(dialect()), cursorRows.text(places));
            await tx.$executeRawUnsafe(attemptRows.insert(dialect()), attemptRows.text(noted));
            expect(sorted(await tx.cursor.findMany(), 'name')).toEqual(sorted(places, 'name'));
            expect(sorted(await tx.idempotencyRecord.findMany(), 'id')).toEqual(sorted(noted, 'id'));
          }),
        ),
        runs,
      ));

    it('changes the rows whose keys are there, and inserts the others', () =>
      fc.assert(
        fc.asyncProperty(cursors, cursors, (before, after) =>
          trying(opened, async (tx) => {
            const upsert = cursorRows.upsert(dialect(), ['name']);
            await tx.$executeRawUnsafe(upsert, cursorRows.text(before));
            await tx.$executeRawUnsafe(upsert, cursorRows.text(after));
            const expected = new Map([...before, ...after].map((row) => [row.name, row]));
            expect(sorted(await tx.cursor.findMany(), 'name')).toEqual(sorted([...expected.values()], 'name'));
          }),
        ),
        runs,
      ));

    it('changes just the named columns of the rows with these keys', () =>
      fc.assert(
        fc.asyncProperty(cursors, cursors, (before, after) =>
          trying(opened, async (tx) => {
            const moved = bulkRows('Cursor', ['position', 'name']);
            await tx.$executeRawUnsafe(cursorRows.insert(dialect()), cursorRows.text(before));
            const prepared = await moved.prepare(dialect(), after);
            await opened.database.write(tx, moved.updatePrepared(dialect(), ['name']), prepared);
            const positions = new Map(after.map(({ name, position }) => [name, position]));
            const expected = before.map((row) => ({ ...row, position: positions.get(row.name) ?? row.position }));
            expect(sorted(await tx.cursor.findMany(), 'name')).toEqual(sorted(expected, 'name'));
          }),
        ),
        runs,
      ));

    it('says which row is which', () =>
      trying(opened, async (tx) => {
        const names = bulkRows('Cursor', ['name']);
        const rows = Array.from({ length: 1_000 }, (_, index) => ({ name: `${index}` }));
        const sql = `SELECT "nthRow", "name" FROM ${names.from(dialect())} AS given`;
        const found = await tx.$queryRawUnsafe<{ nthRow: bigint | number; name: string }[]>(sql, names.text(rows));
        expect(found.map(({ nthRow, name }) => [Number(nthRow), name])).toEqual(
          rows.map(({ name }) => [Number(name), name]),
        );
      }));
  });
});

describe('what no database holds alike', () => {
  const row = { name: 'one', tenantId: null, projectId: null, position: 1n, enabled: true, updatedAt: new Date(0) };

  it.each(['\0', 'a\0b', '\ud800', 'x\udfff'])('refuses the text %j by the name of its column', (name) => {
    expect(() => cursorRows.text([row, { ...row, name }])).toThrow(
      expect.objectContaining({ code: 'text_not_allowed', details: [expect.objectContaining({ path: 'name' })] }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 53])('refuses the number %d', (position) => {
    expect(() => cursorRows.text([{ ...row, position }])).toThrow(RangeError);
  });

  it.each(['-000001-12-31T23:59:59.999Z', '+010000-01-01T00:00:00.000Z', 'never'])('refuses the time %s', (time) => {
    expect(() => cursorRows.text([{ ...row, updatedAt: new Date(time) }])).toThrow(
      time === 'never' ? RangeError : DomainError,
    );
  });
});
