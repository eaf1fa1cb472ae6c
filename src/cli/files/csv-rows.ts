/** Reads rows as RFC 4180 has them, and as spreadsheets of other countries write them: with semicolons or tabs. */

interface CsvRow {
  /** Where it begins, from 1: a quoted cell may go on over several lines. */
  readonly line: number;
  readonly cells: readonly string[];
}

const separators = [',', ';', '\t'] as const;

/** The one that the first line has most of. */
const separatorIn = (text: string): string => {
  const [header = ''] = text.split('\n', 1);
  const counted = separators.map((sign) => ({ sign, count: header.split(sign).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).sign;
};

/** Empty lines are no rows. A quote that never ends takes the rest of the text into its cell. */
export function csvRows(content: string): CsvRow[] {
  const text = content.replace(/^\uFEFF/, '');
  const separator = separatorIn(text);
  // A cell in quotes, where two stand for one, or as it stands; then what ends it.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$)([^${separator}\\r\\n]*)|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`,
    'y',
  );
  const rows: CsvRow[] = [];
  let [line, begun] = [1, 1];
  let cells: string[] = [];
  while (cell.lastIndex < text.length || cells.length > 0) {
    const [all = '', quoted, behind = '', plain = '', end = ''] = cell.exec(text) ?? [];
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"') + behind);
    line += all.split(/\r?\n|\r/).length - 1;
    if (end === separator) continue;
    if (cells.some((one) => one !== '')) rows.push({ line: begun, cells });
    [cells, begun] = [[], line];
  }
  return rows;
}
