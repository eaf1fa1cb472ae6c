/** One reader for every list that people hand in: encodings, headers, quotes, and what a spreadsheet does to ids. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchIn } from '../../src/cli/files/batch-file.js';
import { csvLine } from '../../src/cli/files/csv.js';
import { peopleShape, personIn } from '../../src/cli/files/people-list.js';
import { eventsIn } from '../../src/cli/gameplay/event-file.js';
import { listRows } from '../../src/files/list-rows.js';
import { decodeText, NotText } from '../../src/text/decode-text.js';

const bytes = (text: string, encoding: BufferEncoding, mark: number[] = []) =>
  Buffer.concat([Buffer.from(mark), Buffer.from(text, encoding)]);

describe('decodeText', () => {
  it('reads UTF-8 and UTF-16, with or without a mark where that is certain', () => {
    const text = 'user,type\nJürgen,mute\n';
    expect(decodeText(bytes(text, 'utf8'))).toBe(text);
    expect(decodeText(bytes(text, 'utf8', [0xef, 0xbb, 0xbf]))).toBe(text);
    expect(decodeText(bytes(text, 'utf16le', [0xff, 0xfe]))).toBe(text);
    expect(decodeText(bytes(text, 'utf16le', [0xff, 0xfe]).swap16())).toBe(text);
  });

  it.each([
    ['Windows-1252', bytes('user\nann\nJ\xfcrgen\n', 'latin1'), 3],
    ['UTF-16 without a mark', bytes('user\nann', 'utf16le'), 1],
    ['a cut UTF-16', bytes('user', 'utf16le', [0xff, 0xfe]).subarray(0, 5), 1],
  ])('refuses %s, and names the line', (_, content, line) => {
    expect(() => decodeText(content)).toThrow(NotText);
    try {
      decodeText(content);
    } catch (error) {
      expect(error).toMatchObject({ line, message: expect.stringContaining('UTF-8') });
    }
  });
});

const people = (content: string) => {
  const { rows, bad } = listRows(content, 'list', peopleShape(false));
  return { people: rows.map(({ fields }) => personIn(fields)), bad: bad.map(({ line }) => line) };
};

describe('a list of people', () => {
  it.each([
    ['plain lines', 'u1\n\nu2\n', ['u1', 'u2']],
    ['quotes', '"pf6"\n"Doe, John"\n', ['pf6', 'Doe, John']],
    ['a header', 'user_id\nu1\n', ['u1']],
    ['a table', 'displayName,externalUserId,joinedAt,id\nAnn,u1,2026,x\nBob,,2026,y\n', ['u1', 'y']],
    ['JSON objects', '{"externalUserId":"u1"}\n{"displayName":"Ann"}\n', ['u1', 'Ann']],
    ['an answer of the API', '{\n"participants":[{"externalUserId":"u1"}],"total":1}', ['u1']],
    ['names with brackets', '[Clan] Bob\n{x}\n', ['[Clan] Bob', '{x}']],
    ['guards of spreadsheets', "user\n'+4915\n''=x\n'tis\n", ['+4915', "'=x", "'tis"]],
  ])('is read from %s', (_, content, expected) => expect(people(content)).toEqual({ people: expected, bad: [] }));

  it.each([
    ['a cell too many', 'user\nu1,x\n', [2]],
    ['a cell too many without a header', 'u1\nDoe, John\n', [2]],
    ['two columns of one name', 'user,player\nu1,u2\n', [1]],
    ['an open quote', 'user,name\n"u1,x\nu2,y\n', [2]],
    ['ids that were rounded', '76561198012345600\n76561198012345700\n', [1, 2]],
  ])('is refused for %s', (_, content, lines) => expect(people(content).bad).toEqual(lines));
});

describe('every list', () => {
  it.each<[string, (content: string) => unknown]>([
    ['sanctions', (content) => batchIn(content, 'x').bad[0]?.message ?? ''],
    ['events', (content) => attempted(() => eventsIn(content, 'x'))],
  ])('of %s refuses unknown and double columns, cells too many, and ruined ids', (name, problem) => {
    const [head, row] = name === 'events' ? ['event,amount', 'kill-enemy,1'] : ['type,reason', 'mute,x'];
    expect(problem(`player2,${head}\nu1,${row}\n`)).toContain('no such column');
    expect(problem(`user,player,${head}\nu1,u2,${row}\n`)).toContain('two columns');
    expect(problem(`user,${head}\nu1,${row},5\n`)).toContain('4 cells, and 3 columns');
    expect(problem(`user,${head}\n7.65612E+16,${row}\n`)).toContain('a spreadsheet');
  });

  it('of events takes digits alone for a number', () => {
    for (const amount of ['0x10', '1e3', '"1,5"', '١'])
      expect(attempted(() => eventsIn(`user,event,amount\nu1,kill-enemy,${amount}\n`, 'x'))).toContain(
        'must be a number',
      );
    const inner = JSON.stringify({ events: [{ user_id: 'u1', event_name: 'kill-enemy', metadata: { amount: 1 } }] });
    expect(eventsIn(inner, 'x')).toHaveLength(1);
  });

  it('that is written as CSV is read as the same', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => one !== '');
    const odd = fc.constantFrom("'=x", "''=x", '+49', '@bob', '-1', "'", 'a;b', 'a\tb', '"', 'a\nb', ' a ');
    fc.assert(
      fc.property(fc.array(fc.oneof(text, odd), { minLength: 1, maxLength: 5 }), (names) => {
        const written = [['user', 'name'], ...names.map((name) => [name, ''])].map(csvLine).join('');
        const { rows, bad } = listRows(written, 'x', { ...peopleShape(false), ids: [] });
        expect([rows.map(({ fields }) => fields.externalUserId), bad]).toEqual([names, []]);
      }),
    );
  });
});

function attempted(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return String(error);
  }
  return '';
}
