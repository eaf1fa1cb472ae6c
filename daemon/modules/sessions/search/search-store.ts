/**
 * The index of transcripts: SQLite's FTS5, or a tsvector of PostgreSQL. Both get words and queries that are made here, so
 * they find the same. Project, session, room and person of a message are words of it too: no other message is looked at.
 * Rows go with their message, by foreign key and trigger.
 */
import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { sqlTime } from '../../../platform/database/dialect.js';
import { firstIdAt } from '../../../platform/ids/id-time.js';
import type { MovingPerson } from '../../../platform/moving-person.js';
import { type Phrase, wordsOf } from './search-words.js';
import { searchStatements } from './sql.js';

interface IndexedMessage {
  readonly id: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly externalUserId: string | null;
  readonly content: string;
  readonly status: string | null;
}
type Older = IndexedMessage & { readonly roomId: string };

export interface IndexedHit {
  /** Its place: the newest message has the highest. */
  readonly seq: number;
  readonly messageId: string;
}

export interface SearchedPart {
  readonly projectId: string;
  readonly sessionId: string | null;
  readonly roomId: string | null;
  readonly externalUserId: string | null;
  readonly since: Date | null;
  readonly until: Date | null;
}

/** Places of new messages begin behind it; those of messages from before the index lie below. */
const firstSeq = 2 ** 40;
const lastSeq = Number.MAX_SAFE_INTEGER;
/** Words of one message; a position of PostgreSQL goes no further. */
const wordsMax = 10_000;
/** Clocks of several daemons differ, and a transaction may wait for its turn. */
const slackMs = 600_000;
/** Behind every id, however a database sorts text. */
const behindIds = 'z';

/** Digits of a hash. Equal ones would do no harm, because messages are also selected by project. */
const scopeLength = 12;

/** Project, session, room, user. */
type ScopeKind = 'p' | 's' | 'r' | 'u';
const scopeWord = (kind: ScopeKind, id: string): string =>
  `${kind}${createHash('sha256').update(id).digest('hex').slice(0, scopeLength)}`;

const scopeOf = ({ projectId, sessionId, externalUserId }: IndexedMessage, roomId: string): string[] => [
  scopeWord('p', projectId),
  scopeWord('s', sessionId),
  scopeWord('r', roomId),
  ...(externalUserId === null ? [] : [scopeWord('u', externalUserId)]),
];

/** Messages that could not be recognised have no words. */
const textOf = ({ content, status }: IndexedMessage): string[] =>
  status === null || status === 'recognised'
    ? wordsOf(content)
        .slice(0, wordsMax)
        .map(({ text }) => text)
    : [];

export class SearchStore {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = searchStatements[database.dialect];
  }

  /** Makes a message that was just stored searchable. */
  async add(tx: Transaction, message: IndexedMessage): Promise<void> {
    const [session] = await tx.$queryRawUnsafe<{ roomId: string }[]>(this.sql.room, message.sessionId);
    await this.insert(tx, { ...message, roomId: session?.roomId ?? '' }, null);
  }

  /** Makes a person's messages findable under another external user id; called before the messages change. */
  async merge(
    tx: Transaction,
    { projectId, from, to }: Pick<MovingPerson, 'projectId' | 'from' | 'to'>,
  ): Promise<void> {
    const words = [from, to].map((id) => scopeWord('u', id));
    await tx.$executeRawUnsafe(this.sql.moved, ...words, projectId, from);
  }

  /** Up to `limit` messages with all phrases, the newest first, below the place `before`. */
  async page(
    part: SearchedPart,
    phrases: readonly Phrase[],
    before: number | null,
    limit: number,
  ): Promise<IndexedHit[]> {
    const { since, until } = part;
    const above = since === null ? 0 : await this.lastBefore(since);
    const [begin, end] = [since, until].map((time) => (time === null ? null : sqlTime(time)));
    const query = this.query(part, phrases);
    const asked = [query, before ?? lastSeq, above, begin, begin, end, end, limit];
    const recent = this.sql.recent === '' ? [] : await this.read(this.sql.recent, asked);
    return recent.length === limit ? recent : this.read(this.sql.page, asked);
  }

  /** Makes up to `limit` messages from before there was an index searchable; returns how many. */
  async fill(tx: Transaction, limit: number): Promise<number> {
    const [lowest] = await tx.$queryRawUnsafe<{ seq: number | bigint; messageId: string }[]>(this.sql.lowest);
    const older = await tx.$queryRawUnsafe<Older[]>(this.sql.older, lowest?.messageId ?? behindIds, limit);
    let seq = Math.min(Number(lowest?.seq ?? firstSeq), firstSeq);
    for (const message of older) {
      seq -= 1;
      await this.insert(tx, message, seq);
    }
    return older.length;
  }

  private async insert(tx: Transaction, message: Older, at: number | null): Promise<void> {
    const [scope, words] = [scopeOf(message, message.roomId), textOf(message)];
    const place = at === null ? [] : [at];
    const statement = at === null ? this.sql.add : this.sql.addAt;
    if (this.database.dialect === 'postgresql') {
      await tx.$queryRawUnsafe(statement, ...place, message.id, vectorOf(scope, words));
      return;
    }
    const [added] = await tx.$queryRawUnsafe<{ seq: number }[]>(statement, ...place, message.id);
    if (added !== undefined) await tx.$executeRawUnsafe(this.sql.words, added.seq, scope.join(' '), words.join(' '));
  }

  private async read(statement: string, parameters: readonly unknown[]): Promise<IndexedHit[]> {
    type Row = { seq: number | bigint; messageId: string };
    const rows = await this.database.read.$queryRawUnsafe<Row[]>(statement, ...parameters);
    return rows.map(({ seq, messageId }) => ({ seq: Number(seq), messageId }));
  }

  /**
   * The place of the last message that was stored before this time, by its id: what was said later was stored later, while
   * speech is stored long after it was said, so times of messages do not go up with their places.
   */
  private async lastBefore(time: Date): Promise<number> {
    const id = firstIdAt(time.getTime() - slackMs);
    const [row] = await this.database.read.$queryRawUnsafe<{ seq: number | bigint }[]>(this.sql.lastBefore, id);
    return Number(row?.seq ?? 0);
  }

  private query({ projectId, sessionId, roomId, externalUserId }: SearchedPart, phrases: readonly Phrase[]): string {
    const scope = [
      scopeWord('p', projectId),
      ...(sessionId === null ? [] : [scopeWord('s', sessionId)]),
      ...(roomId === null ? [] : [scopeWord('r', roomId)]),
      ...(externalUserId === null ? [] : [scopeWord('u', externalUserId)]),
    ];
    return this.database.dialect === 'sqlite' ? matchOf(scope, phrases) : tsqueryOf(scope, phrases);
  }
}

// Words are letters, digits and marks alone, so nothing in them has a meaning in a query. Those of the scope stand in a
// column of their own, or begin with a sign that no word of a text has: nobody can write them.

/** Every message has words of its project and its session in its scope, and none has this one. */
const neverInScope = 'scope : "0"';

/**
 * FTS5 goes through all words of an AND side by side, from one place to the next. The word of the project, which a large
 * part of all messages has, is asked only where all others stand together: FTS5 keeps what is in front of a NOT apart,
 * while it takes an AND within an AND for one.
 */
function matchOf([project = '', ...narrower]: readonly string[], phrases: readonly Phrase[]): string {
  const words = phrases.map(({ words, isPrefix }) => `words : "${words.join(' ')}"${isPrefix ? ' *' : ''}`);
  const rarer = [...narrower.map((word) => `scope : "${word}"`), ...words];
  const together = rarer.length > 1 ? `((${rarer.join(' AND ')}) NOT ${neverInScope})` : rarer.join('');
  return `scope : "${project}" AND ${together}`;
}

function tsqueryOf(scope: readonly string[], phrases: readonly Phrase[]): string {
  const inOrder = ({ words, isPrefix }: Phrase): string =>
    `(${words.map((word, index) => `'${word}'${isPrefix && index === words.length - 1 ? ':*' : ''}`).join(' <-> ')})`;
  return [...scope.map((word) => `'_${word}'`), ...phrases.map(inOrder)].join(' & ');
}

/** Words of the scope have no place in the text. */
const vectorOf = (scope: readonly string[], words: readonly string[]): string =>
  [...scope.map((word) => `'_${word}'`), ...words.map((word, index) => `'${word}':${index + 1}`)].join(' ');
