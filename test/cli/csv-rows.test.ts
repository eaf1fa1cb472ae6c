/** Reading of comma-separated values, by RFC 4180 and what spreadsheets make of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../../src/cli/files/csv-rows.js';

const cells = (text: string) => csvRows(text).map((row) => row.cells);
/** As RFC 4180 (2.) writes a cell: in quotes, with each quote twice. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe('csvRows', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a, b \n\n,\n', [['a', 'b']]],
    ['a,b\n"open,3\nend', [['a', 'b'], ['open,3\nend']]],
    ['', []],
  ])('reads %j', (text, rows) => expect(cells(text)).toEqual(rows));

  it('counts lines of the file, where a cell goes on over several', () => {
    expect(csvRows('a,b\n"1\n2",3\n\n4,5').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('reads back whatever was written', () => {
    const row = fc.array(
      fc.string({ unit: 'grapheme' }).filter((text) => text !== ''),
      { minLength: 2, maxLength: 4 },
    );
    const ends = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(',', ';', '\t'),
        ends,
        (rows, sign, end) => {
          // The first line says which sign parts the cells.
          const header = ['one', 'two', 'three', 'four'];
          const text = [header, ...rows].map((one) => one.map(quoted).join(sign)).join(end);
          expect(cells(text)).toEqual([header, ...rows]);
        },
      ),
    );
  });
});
