// npm run bench -- search [--messages 1000000] [--folder PATH]: the first page of the transcript search over HTTP, for words that are rare and for
// one that every tenth message has, beside a request that searches nothing. Half of the messages are of another project. Ends with 1 where one takes longer than it may; `npm run torture`
// asks ten million messages so. The folder, which has to exist, keeps the messages: the next run asks them again.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SearchStore } from '#dist/daemon/modules/sessions/search/search-store.js';
import { Database } from '#dist/daemon/platform/database/database.js';
import { participantRoutes } from '#dist/src/contract/people/participants.js';
import { projectRoutes } from '#dist/src/contract/projects/projects.js';
import { messageRoutes } from '#dist/src/contract/sessions/message-search.js';
import { startDaemon } from './daemon.mjs';
import { writeMessages } from './messages.mjs';
import { quantile, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const atOnce = 1_000;
const leftToTheDaemon = 20_000;
const asked = 100;
const [rareMs, commonMs] = [100, 500];

/** Indexes messages as the daemon does in the background after an upgrade. */
async function index(path) {
  const database = await Database.connect(`file:${path}`);
  const store = new SearchStore(database);
  const began = performance.now();
  let done = 0;
  for (let some = atOnce; some === atOnce; done += some)
    some = await database.transaction((tx) => store.fill(tx, atOnce));
  await database.close();
  return (done / (performance.now() - began)) * 1_000;
}

/** `call` answers how many it found. */
async function times(call) {
  const found = [];
  let hits = 0;
  for (let turn = 0; turn < asked; turn += 1) {
    const began = performance.now();
    hits = await call();
    found.push(performance.now() - began);
  }
  return { hits, p50: round(quantile(found, 0.5), 1), p99: round(quantile(found, 0.99), 1) };
}

/** Two projects that hold the messages between them. */
async function made(settings, path, count) {
  const daemon = await startDaemon(settings);
  await daemon.admin.call(projectRoutes.create, { body: { name: 'Other' } });
  const projects = await daemon.admin.call(projectRoutes.list, {});
  await daemon.stop();
  const began = performance.now();
  writeMessages(path, projects, count, leftToTheDaemon);
  const seconds = (performance.now() - began) / 1_000;
  const perSecond = await index(path);
  console.log(
    `${count} messages, ${round(statSync(path).size / 1_000_000)} MB with their index, written in ${round(seconds)} s; the daemon indexes ${round(perSecond)} a second`,
  );
}

export async function run({ messages, folder: kept }) {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'earshot-search-'));
  const path = join(folder, 'earshot.db');
  const clear = () => kept === undefined && rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  // Without the role that would begin to index while the rows are being written.
  const settings = { EARSHOT_DATA_DIR: folder, EARSHOT_ROLES: 'http' };
  if (!existsSync(path)) await made(settings, path, Number(messages));
  const daemon = await startDaemon(settings);
  try {
    const { admin, projectId } = daemon;
    const search = (query) => async () =>
      (await admin.call(messageRoutes.search, { params: { projectId }, query })).hits.length;
    const participants = async () => (await admin.call(participantRoutes.list, { params: { projectId } })).total;
    const rows = [];
    for (const [what, query, budgetMs] of [
      ['no search: the participants, of whom there are none', null, rareMs],
      ['a rare word', { q: 'treasure' }, rareMs],
      ['a word that nobody said', { q: 'nowhere' }, rareMs],
      ['two words', { q: 'word10 word20' }, rareMs],
      ['a phrase', { q: '"common treasure"' }, commonMs],
      ['a word in every tenth message', { q: 'common' }, commonMs],
      ['the same of one person', { q: 'common', externalUserId: 'u_7' }, commonMs],
      ['the same in one room', { q: 'common', roomId: 'room-7' }, commonMs],
      ['the beginning of many words', { q: 'wor*' }, commonMs],
    ]) {
      const call = query === null ? participants : search(query);
      await times(call); // warm-up
      rows.push({ what, ...(await times(call)), 'budget ms': budgetMs });
    }
    showTable(rows);
    if (rows.some((row) => row.p99 > row['budget ms'])) process.exitCode = 1;
  } finally {
    await daemon.stop();
    clear();
    process.off('exit', clear);
  }
}
