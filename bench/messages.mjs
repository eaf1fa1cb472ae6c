// Messages as people say them, written straight into SQLite with their index: through the daemon ten million would take a day.
import { createHash } from 'node:crypto';
import BetterSqlite3 from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';

const vocabulary = 20_000;
const wordsEach = 8;
const sessionsEach = 500;
const rooms = 50;
const people = 2_000;
const commonEvery = 10;
const rareEvery = 50_000;
const rowsAtOnce = 50_000;
/** First number of a new message, as in `daemon/modules/sessions/search/search-store.ts`. */
const firstSeq = 2 ** 40;
const scopeLength = 12;

/** Returns a generator of random numbers that are the same in each run. */
function numbers() {
  let state = 20_260_101;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

/** Returns a sentence in which a few words are frequent, as in speech. */
function sentence(pick, index) {
  const words = Array.from(
    { length: wordsEach },
    () => `word${Math.min(pick(vocabulary), pick(vocabulary)).toString(36)}`,
  );
  if (index % commonEvery === 0) words.push('common');
  if (index % rareEvery === 7) words.push('treasure');
  return words.join(' ');
}

/** The word of the index for a project, a session, a room or a person, made once each. */
function scopeWords() {
  const made = new Map();
  return (kind, id) => {
    const word = made.get(id) ?? `${kind}${createHash('sha256').update(id).digest('hex').slice(0, scopeLength)}`;
    made.set(id, word);
    return word;
  };
}

/**
 * @param path file of a daemon that does not run
 * @param projects `{ id, tenantId }`, which take turns
 * @param unindexed so many of the first are left to the daemon's own indexing
 */
export function writeMessages(path, projects, count, unindexed) {
  const database = new BetterSqlite3(path);
  database.pragma('journal_mode = OFF'); // what is half written is thrown away with its folder
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -1000000');
  const pick = numbers();
  const word = scopeWords();
  const begin = Date.now() - count * 1_000;
  const time = (ms) => new Date(ms).toISOString().replace('Z', '+00:00');
  const session = database.prepare(
    `INSERT INTO "Session" ("id", "tenantId", "projectId", "externalRoomId", "gateway", "title", "createdByUserId", "createdAt", "status",
     "idleTimeout", "botWanted", "botState", "botSince", "botCounters") VALUES (?, ?, ?, ?, '', 'Bench', '', ?, 'ended', 0, 0, 'idle', ?, '{}')`,
  );
  const message = database.prepare(
    `INSERT INTO "Message" ("id", "projectId", "sessionId", "type", "senderName", "content", "timestamp", "externalUserId", "shadowMuted")
     VALUES (?, ?, ?, 'user', 'Somebody', ?, ?, ?, 0)`,
  );
  const place = database.prepare('INSERT INTO "MessageIndexed" ("seq", "messageId") VALUES (?, ?)');
  const words = database.prepare('INSERT INTO "MessageWords" (rowid, "scope", "words") VALUES (?, ?, ?)');
  const sessions = projects.map(({ id, tenantId }) =>
    Array.from({ length: sessionsEach }, (_, index) => {
      const one = { id: uuidv7(), room: `room-${index % rooms}` };
      session.run(one.id, tenantId, id, one.room, time(begin), time(begin));
      return one;
    }),
  );
  const some = database.transaction((from, to) => {
    for (let index = from; index < to; index += 1) {
      const of = (index >> 3) % projects.length;
      const [id, projectId] = [uuidv7(), projects[of].id];
      const { id: sessionId, room } = sessions[of][Math.floor((index / count) * sessionsEach)];
      const [said, user] = [sentence(pick, index), `u_${pick(people)}`];
      message.run(id, projectId, sessionId, said, time(begin + index * 1_000), user);
      if (index < unindexed) continue;
      const seq = firstSeq + 1 + index;
      place.run(seq, id);
      words.run(seq, `${word('p', projectId)} ${word('s', sessionId)} ${word('r', room)} ${word('u', user)}`, said);
    }
  });
  for (let from = 0; from < count; from += rowsAtOnce) some(from, Math.min(count, from + rowsAtOnce));
  database.pragma('journal_mode = WAL');
  database.close();
}
