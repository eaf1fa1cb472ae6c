/** Reading of comma-separated values, by RFC 4180 and what spreadsheets make of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../../src/files/csv-rows.js';

const cells = (text: string) => csvRows(text).map((row) => ('cells' in row ? row.cells : `broken ${row.line}`));
/** Quotes a cell as RFC 4180 (2.) does, doubling its quotes. */
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
    ['a,b\n1,"2\n3",\n', [['a', 'b'], 'broken 2', ['3"', '']]],
    ['a,b\n"open,3\nend', [['a', 'b'], 'broken 2', ['end']]],
    ['a,b\n1,"2\n3,"4"\n5,6', [['a', 'b'], 'broken 2', ['3', '4'], ['5', '6']]],
    ['a,b\n1,"say "2" twice"\n5,6', [['a', 'b'], 'broken 2', ['5', '6']]],
    ['a,b\n"1\n2","3\n4,5', [['a', 'b'], 'broken 2', 'broken 3', ['4', '5']]],
    [
      'a,b\r\n"1" ,2\r3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['', []],
  ])('reads %j', (text, rows) => expect(cells(text)).toEqual(rows));

  it('counts lines of the file, where a cell goes on over several', () => {
    expect(csvRows('a,b\n"1\n2",3\n\n4,5').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('refuses a quote that takes in whole rows, and goes on behind its line', () => {
    const file = 'user,type,reason\nq1,ban,"he said hello\nq2,ban,ok"\nq3,mute,"two\nlines, he wrote"\nq4,warn,';
    const isWholeRow = ([, type = '']: readonly string[]) => ['ban', 'mute', 'warn'].includes(type);
    expect(csvRows(file, isWholeRow).map((row) => ('cells' in row ? row.cells : `broken ${row.line}`))).toEqual([
      ['user', 'type', 'reason'],
      'broken 2',
      ['q2', 'ban', 'ok"'],
      ['q3', 'mute', 'two\nlines, he wrote'],
      ['q4', 'warn', ''],
    ]);
  });

  it('reads a long file with a quote open on every line in time that grows with its length', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `q${index},ban,"x""`);
    const broken = csvRows(['a,b,c', ...lines].join('\n'), ([, type]) => type === 'ban');
    expect(broken.filter((row) => 'problem' in row)).toHaveLength(lines.length);
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
