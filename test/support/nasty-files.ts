/** Lists as spreadsheets, editors and other programs hand them over: what is in them, and whether it can be read. */

/** A list that some command or page reads. */
export interface ListOf {
  /** The first names who or what each row is about. */
  readonly columns: readonly string[];
  readonly row: (id: string) => readonly string[];
  /** Field of an object in which an answer of the API has the list. */
  readonly within: string;
  /** False where the first column holds no ids, so that no spreadsheet can ruin one. */
  readonly hasIds: boolean;
}

interface NastyFile {
  readonly name: string;
  /** Content about two ids. */
  readonly content: (one: string, other: string) => Buffer;
  /** What is said where the file, or its first row, is refused; null: it is read. */
  readonly refused: RegExp | null;
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

export function nastyFiles({ columns, row, within, hasIds }: ListOf): NastyFile[] {
  const lines = (rows: readonly (readonly string[])[], separator = ',', end = '\n') =>
    rows.map((cells) => `${cells.join(separator)}${end}`).join('');
  const plain = (one: string, other: string) => lines([columns, row(one), row(other)]);
  const objects = (one: string, other: string) =>
    [row(one), row(other)].map((cells) =>
      Object.fromEntries(cells.map((cell, index) => [columns[index], /^\d+$/.test(cell) ? Number(cell) : cell])),
    );
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`);
  const read = (name: string, content: (one: string, other: string) => string | Buffer): NastyFile => ({
    name,
    content: (one, other) => Buffer.from(content(one, other)),
    refused: null,
  });
  const refused = (name: string, why: RegExp, content: (one: string, other: string) => string | Buffer): NastyFile => ({
    ...read(name, content),
    refused: why,
  });
  return [
    read('plain CSV', plain),
    read('a byte order mark', (...ids) => `\uFEFF${plain(...ids)}`),
    read('UTF-16, little end first', (...ids) => utf16(plain(...ids))),
    read('UTF-16, big end first', (...ids) => utf16(plain(...ids)).swap16()),
    read('carriage returns', (a, b) => lines([columns, row(a), row(b)], ',', '\r\n')),
    read('quotes', (a, b) => lines([quoted(columns), quoted(row(a)), quoted(row(b))])),
    read('semicolons', (a, b) => lines([columns, row(a), row(b)], ';')),
    read('tabs', (a, b) => lines([columns, row(a), row(b)], '\t')),
    read('empty cells at the end and empty lines', (a, b) =>
      lines([[...columns, ''], [...row(a), '', ''], [], [...row(b), '']]),
    ),
    read('headings in capitals', (a, b) => lines([columns.map((one) => one.toUpperCase()), row(a), row(b)])),
    read('an object a line', (...ids) =>
      objects(...ids)
        .map((one) => `${JSON.stringify(one)}\r\n`)
        .join(''),
    ),
    read('a JSON array', (...ids) => JSON.stringify(objects(...ids), null, 2)),
    read('an answer of the API', (...ids) => `\uFEFF${JSON.stringify({ [within]: objects(...ids), total: 2 })}`),
    refused('Windows-1252', /not UTF-8/, () => Buffer.from(plain('J\xfcrgen', 'J\xe4rgen'), 'latin1')),
    refused('UTF-16 without a mark', /zero byte/, (...ids) => Buffer.from(plain(...ids), 'utf16le')),
    refused('a column twice', /two columns/, (a, b) =>
      lines([columns, row(a), row(b)].map(([first = '', ...others]) => [first, first, ...others])),
    ),
    refused('a field twice', /already/, (a) => {
      const [[name, value] = ['', ''], ...others] = Object.entries(objects(a, a)[0] ?? {});
      return JSON.stringify(Object.fromEntries([[name, value], [name.toUpperCase(), value], ...others]));
    }),
    refused('a cell too many', /cells, and \d columns/, (a, b) => lines([columns, [...row(a), 'x'], row(b)])),
    refused('an open quote', /a quote is open/, (a, b) => lines([columns, [`"${a}`, ...row(a).slice(1)], row(b)])),
    ...(hasIds
      ? ['7.65612E+16', '7,65612e+16', '76561198000000000.0', '#N/A'].map((id) =>
          refused(`the id ${id}`, /a spreadsheet/, () => lines([columns, row(id)].map((one) => quoted(one)))),
        )
      : []),
  ];
}
