/** Files that the consoles of Nakama and PlayFab, and calls of their APIs, leave: people and scores, as JSON or CSV. */
import { csvRows } from '../../files/csv-rows.js';
import { UsageError } from '../../terminal/usage-error.js';
import type { SourceBoard, SourceScore } from './boards.js';
import type { SourcePerson } from './people.js';

export interface FileContent {
  readonly people: readonly SourcePerson[];
  readonly boards: readonly SourceBoard[];
}

/** How a board of a file is made: files do not say it. */
export type BoardShape = Pick<SourceBoard, 'sortOrder' | 'aggregate'> & {
  /** Name of the board, where the rows do not name one. */
  readonly name: string | undefined;
};

type FileRow = Readonly<Record<string, unknown>>;

/** Names of columns and fields, as `plain` writes them. */
const columns = {
  user: ['ownerid', 'playfabid', 'playerid', 'masterplayeraccountid', 'userid', 'id'],
  name: ['displayname', 'username', 'name'],
  board: ['leaderboardid', 'statisticname', 'statistic', 'leaderboard'],
  score: ['score', 'statisticvalue', 'statvalue', 'value'],
  at: ['updatetime', 'lastupdate', 'updatedat', 'createtime', 'timestamp'],
} as const;

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The field; a text in an object is taken out of it, as Nakama writes `{"value": "ann"}`. */
function fieldOf(row: FileRow, names: readonly string[]): string | null {
  for (const name of names)
    for (const [key, value] of Object.entries(row)) {
      if (plain(key) !== name) continue;
      const inner: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'value') : value;
      if ((typeof inner === 'string' && inner !== '') || typeof inner === 'number') return String(inner);
    }
  return null;
}

const isObject = (value: unknown): value is FileRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists that answers and exports hold: of scores, and of people. */
const listNames = ['records', 'leaderboard_records', 'users', 'accounts', 'Leaderboard', 'PlayerProfiles'];

function rowsOf(content: string, path: string): FileRow[] {
  const text = content.replace(/^\uFEFF/, '').trim();
  if (text.startsWith('{') || text.startsWith('[')) return jsonRows(text, path);
  const [header, ...rows] = csvRows(text);
  if (header === undefined || !('cells' in header)) throw new UsageError(`${path} is empty.`);
  return rows.map((row) => {
    if (!('cells' in row)) throw new UsageError(`${path}:${row.line}: ${row.problem}`);
    return Object.fromEntries(header.cells.map((name, index) => [name, row.cells[index] ?? '']));
  });
}

function jsonRows(text: string, path: string): FileRow[] {
  const whole = parsed(text);
  const values =
    whole !== undefined
      ? [whole]
      : text.split('\n').map((line, index) => {
          const value = parsed(line);
          if (value === undefined && line.trim() !== '') throw new UsageError(`${path}:${index + 1}: not JSON.`);
          return value;
        });
  return values.flatMap((value): FileRow[] => {
    if (Array.isArray(value)) return value.filter(isObject);
    if (!isObject(value)) return [];
    const data = isObject(value.data) ? value.data : value;
    const lists = listNames.flatMap((name) => (Array.isArray(data[name]) ? data[name].filter(isObject) : []));
    // The export of one account of Nakama.
    const account = isObject(data.account) && isObject(data.account.user) ? [data.account.user] : [];
    return lists.length + account.length > 0 ? [...account, ...lists] : [data];
  });
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Throws UsageError for a row without a person, or with a score that is no whole number. */
export function contentOf(content: string, path: string, shape: BoardShape): FileContent {
  const people: SourcePerson[] = [];
  const scores = new Map<string, SourceScore[]>();
  for (const [index, row] of rowsOf(content, path).entries()) {
    const at = `${path}, row ${index + 1}`;
    // Accounts have the user one level below.
    const own = isObject(row.user) ? row.user : row;
    const userId = fieldOf(own, columns.user);
    if (userId === null)
      throw new UsageError(`${at}: no column names the person; there are ${Object.keys(row).join(', ')}.`);
    people.push({ id: userId, externalUserId: userId, displayName: fieldOf(own, columns.name) });
    for (const [board, value] of scoresIn(row, shape)) {
      const score = Number(value);
      if (!Number.isSafeInteger(score))
        throw new UsageError(`${at}: the score ${value} is no whole number below 2^53.`);
      const list = scores.get(board) ?? [];
      list.push({ userId, score, at: fieldOf(row, columns.at) });
      scores.set(board, list);
    }
  }
  const { sortOrder, aggregate } = shape;
  return {
    people,
    boards: [...scores].map(([id, list]) => ({ id, name: id, sortOrder, aggregate, scores: list })),
  };
}

/** Scores of a row: one, or the statistics of a player's profile. Throws UsageError for a score of no board. */
function scoresIn(row: FileRow, { name }: BoardShape): [string, string][] {
  const { Statistics: statistics } = row;
  if (isObject(statistics)) return Object.entries(statistics).map(([board, value]) => [board, String(value)]);
  if (Array.isArray(statistics))
    return statistics.filter(isObject).map((one) => [String(one.Name ?? one.StatisticName), String(one.Value)]);
  const score = fieldOf(row, columns.score);
  if (score === null) return [];
  const board = fieldOf(row, columns.board) ?? name;
  if (board === undefined) throw new UsageError('No column names the leaderboard of the scores: name it with --board.');
  return [[board, score]];
}
