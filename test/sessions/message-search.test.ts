/** Full-text search over transcripts: the same answers on both databases. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SearchStore } from '../../daemon/modules/sessions/search/search-store.js';
import { Database } from '../../daemon/platform/database/database.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { messageRoutes } from '../../src/contract/sessions/message-search.js';
import { Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf, filesWith } from '../support/traces.js';

type Query = Record<string, string | number | boolean>;

/** Text → queries that find it, and queries that do not. */
const texts: readonly (readonly [text: string, found: readonly string[], missed: readonly string[]])[] = [
  [
    'The quick brown Fox jumps',
    ['fox', 'QUICK fox', '"brown fox"', 'jum*', 'qui* "fox jumps"'],
    ['"fox brown"', 'ju', 'foxes'],
  ],
  ['Crème brûlée für Zoë', ['creme', 'BRULEE', 'fur zoe', 'crème', '"brulee fur"'], ['creme brulees']],
  ['Die STRASSE ist groß', ['straße', 'strasse', 'GROSS', 'gross'], ['gro']],
  ['Ο Οδυσσέας γύρισε ΣΤΗΝ Ιθάκη', ['οδυσσεασ', 'ΟΔΥΣΣΈΑΣ', 'ιθακη', 'στην'], ['οδυσσε']],
  ['Привет, ёлка и Ещё', ['елка', 'ПРИВЕТ', 'еще'], ['прив']],
  ["don't shoot me-now, v2.0!", ["don't", 'dont', '"me now"', 'v2 0', 'shoot'], ['don t']],
  ['我们今天去东京玩游戏', ['东京', '今天', '京', '去东京玩', '"东京玩游戏"'], ['京东', '东今', '戏游']],
  ['明日はゲームをしましょう', ['ゲーム', '明日', 'しましょ', 'は'], ['夜']],
  ['วันนี้เล่นเกมกันเถอะ', ['เล่น', 'เกม', 'วันนี้'], ['กลับ']],
  ['오늘 게임하자', ['게임하자', '오늘', '게임', '게임*'], ['하자']],
  ['नमस्ते दुनिया', ['दुनिया', 'नमस्ते'], ['दुनय']],
  ['e\u0301clair und \u1112\u1161\u11ab글', ['éclair', 'eclair', '한글'], ['eclairs']],
  ['die wall\u00adhack-Datei, **f**rei und sc\u0430m', ['wallhack', 'frei', 'scam'], ['wall']],
  ['i write C++, 18+ only (really) 🖕', ['c++', '18+', 'really', '(really)', 'c', '"c++ 18+"'], ['c#', '8+']],
  ['vitamin c is good at 18', ['c', '18'], ['c++', '18+', 'c#']],
  ['gg wp 🎮 ez123', ['gg', 'ez123', 'ez1*'], ['ez12']],
];

describe.each([
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
])('GET …/messages/search on $kind', { timeout: 60_000 }, ({ kind, here }) => {
  let daemon: TestDaemon;
  let server: PostgresqlServer | null = null;
  /** Clock offset in the past, because ids are made after the time of their message, as for speech. */
  let aheadMs = -36_000_000;
  const sessions = new Map<string, string>();

  beforeAll(async () => {
    if (!here) return;
    server = kind === 'PostgreSQL' ? await startPostgresql() : null;
    daemon = await startDaemon({
      now: () => new Date(Date.now() + aheadMs),
      settings: server === null ? inSqlite : { DATABASE_URL: server.url },
    });
  }, 60_000);
  afterAll(async () => {
    await daemon?.stop();
    await server?.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const url = () => daemon.databaseUrl;
  const sessionIn = async (roomId: string, projectId = daemon.projectId): Promise<string> => {
    const known = sessions.get(`${projectId} ${roomId}`);
    if (known !== undefined) return known;
    const { id } = await daemon.client.call(sessionRoutes.create, {
      params: { projectId },
      body: { title: roomId, externalRoomId: roomId, autoStart: false },
    });
    sessions.set(`${projectId} ${roomId}`, id);
    return id;
  };
  const say = async (
    content: string,
    { roomId = 'arena', externalUserId = 'u_1', projectId = daemon.projectId } = {},
  ) =>
    daemon.client.call(sessionRoutes.say, {
      params: { projectId, id: await sessionIn(roomId, projectId) },
      body: { externalUserId, content },
    });
  const search = (query: Query & { q: string }, projectId = daemon.projectId) =>
    daemon.client.call(messageRoutes.search, { params: { projectId }, query });
  const found = async (query: Query & { q: string }): Promise<string[]> =>
    (await search(query)).hits.map(({ message }) => message.content);

  it('finds words in any case and without accents, phrases and beginnings, in every script', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    for (const [text] of texts) await say(text);
    const wrong: string[] = [];
    for (const [text, finding, missing] of texts) {
      for (const q of finding) if (!(await found({ q })).includes(text)) wrong.push(`${q} misses ${text}`);
      for (const q of missing) if ((await found({ q })).includes(text)) wrong.push(`${q} finds ${text}`);
    }
    expect(wrong).toEqual([]);
  });

  it('marks what was found, as the text was written', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const marked = async (q: string) =>
      (await search({ q })).hits.flatMap(({ message, marks }) =>
        marks.map(({ start, end }) => message.content.slice(start, end)),
      );
    expect(await marked('"creme brulee" zoe')).toEqual(['Crème brûlée', 'Zoë']);
    expect(await marked('jum*')).toEqual(['jumps']);
    expect(await marked('东京')).toEqual(['东京']);
    expect(await marked('去东京玩')).toEqual(['去东京玩']);
    expect(await marked("don't")).toEqual(["don't"]);
  });

  it('stands beside the transcript of a session, whole or in pages', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const said = ['one', 'two', 'three', 'four', 'five'];
    aheadMs += 1_000;
    for (const content of said) {
      if (content === 'three') aheadMs += 1_000;
      await say(content, { roomId: 'hall' });
    }
    const at = { params: { ...params(), id: await sessionIn('hall') } };
    const page = async (query: { limit?: number; after?: string }) => {
      const response = await daemon.client.fetch(sessionRoutes.messages, { ...at, query });
      expect(response.headers.get('X-Total-Count')).toBe('5');
      return z.array(Message).parse(JSON.parse(await response.text()));
    };
    const whole = await page({});
    expect(whole.map(({ content }) => content)).toEqual(said);
    const pages: Message[][] = [];
    for (let after: string | undefined; pages.at(-1)?.length !== 1; after = pages.at(-1)?.at(-1)?.id)
      pages.push(await page({ limit: 2, after }));
    expect(pages.flat()).toEqual(whole);
    await expect(page({ after: at.params.id })).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
    await expect(page({ limit: 1_001 })).rejects.toMatchObject({ status: 400 });
  });

  it('is narrowed to a session, a room, a person and a time, the newest first', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await say('needle one', { roomId: 'attic' });
    await say('needle two', { roomId: 'cellar', externalUserId: 'u_2' });
    aheadMs += 3_600_000;
    const later = new Date(Date.now() + aheadMs - 1_000).toISOString();
    await say('needle three', { roomId: 'attic', externalUserId: 'u_2' });
    expect(await found({ q: 'needle' })).toEqual(['needle three', 'needle two', 'needle one']);
    expect(await found({ q: 'needle', roomId: 'attic' })).toEqual(['needle three', 'needle one']);
    expect(await found({ q: 'needle', sessionId: await sessionIn('cellar') })).toEqual(['needle two']);
    expect(await found({ q: 'needle', externalUserId: 'u_2', roomId: 'attic' })).toEqual(['needle three']);
    expect(await found({ q: 'needle', since: later })).toEqual(['needle three']);
    expect(await found({ q: 'needle', until: later })).toEqual(['needle two', 'needle one']);
    expect(await found({ q: 'needle', since: new Date(Date.now() + aheadMs + 60_000).toISOString() })).toEqual([]);
    const [hit] = (await search({ q: 'needle' })).hits;
    expect(hit).toMatchObject({ roomId: 'attic', message: { annotations: [], externalUserId: 'u_2' } });
  });

  it('finds by time what was stored long after it was said', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const lateMs = 1_200_000;
    aheadMs += 3_600_000 + lateMs;
    await say('lantern now');
    aheadMs -= lateMs;
    await say('lantern then');
    const begun = Date.now() + aheadMs - 1_000;
    aheadMs += lateMs;
    const [since, until] = [new Date(begun).toISOString(), new Date(begun + lateMs / 2).toISOString()];
    expect(await found({ q: 'lantern', since })).toEqual(['lantern then', 'lantern now']);
    expect(await found({ q: 'lantern', until })).toEqual(['lantern then']);
    expect(await found({ q: 'lantern', since: until })).toEqual(['lantern now']);
  });

  it('comes a page after the other', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    for (let index = 0; index < 5; index += 1) await say(`page ${index}`);
    const seen: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page = await search({ q: 'page', limit: 2, ...(after === '' ? {} : { after }) });
      expect(page.hits.length).toBeLessThanOrEqual(2);
      seen.push(...page.hits.map(({ message }) => message.content));
      after = page.next;
    }
    expect(seen).toEqual(['page 4', 'page 3', 'page 2', 'page 1', 'page 0']);
  });

  it('shows the minute around on demand', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    aheadMs += 600_000;
    await say('long before');
    aheadMs += 120_000;
    await say('just before');
    aheadMs += 5_000;
    await say('haystack');
    aheadMs += 5_000;
    await say('just after');
    aheadMs += 120_000;
    await say('elsewhere', { roomId: 'cellar' });
    const { hits } = await search({ q: 'haystack', context: true });
    expect(hits[0]?.context?.map(({ content }) => content)).toEqual(['just before', 'haystack', 'just after']);
    expect((await search({ q: 'haystack' })).hits[0]?.context).toBeUndefined();
  });

  it('shows the message itself in the middle, however much was said before it', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    aheadMs += 600_000;
    for (let index = 0; index < 25; index += 1) await say(`before ${index}`);
    await say('beacon');
    for (let index = 0; index < 15; index += 1) await say(`after ${index}`);
    const [hit] = (await search({ q: 'beacon', context: true })).hits;
    const around = hit?.context?.map(({ content }) => content);
    expect(around).toHaveLength(20);
    expect(around?.slice(8, 11)).toEqual(['before 24', 'beacon', 'after 0']);
  });

  it('finds by annotation', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await daemon.client.call(pluginInstanceRoutes.create, { params: params(), body: { pluginId: 'sentiment' } });
    await say('annotated at last, what a wonderful shot');
    await eventually(async () =>
      expect(await found({ q: 'shot', annotation: 'sentiment' })).toEqual(['annotated at last, what a wonderful shot']),
    );
    expect(await found({ q: 'needle', annotation: 'sentiment' })).toEqual([]);
  });

  it('never shows what another project wrote', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Other' } });
    await daemon.client.call(settingsRoutes.put, { params: { projectId: id }, body: { tokenProvider: 'embedded' } });
    await say('needle of others', { projectId: id });
    expect(await found({ q: 'others' })).toEqual([]);
    expect((await search({ q: 'needle' }, id)).hits).toHaveLength(1);
    await expect(
      (await daemon.clientWith(['messages:read'], id)).call(messageRoutes.search, {
        params: params(),
        query: { q: 'x' },
      }),
    ).rejects.toMatchObject({ code: 'no_access_to_project' });
  });

  it('refuses what has no words, too many, or asks for too much', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const refused = { code: 'validation_failed' };
    for (const q of ['', '🎮 !', 'ab*', 'w '.repeat(17), 'x'.repeat(201), `"' OR 1=1 --"`.repeat(20)])
      await expect(search({ q })).rejects.toMatchObject(refused);
    await expect(search({ q: 'x', after: 'nowhere' })).rejects.toMatchObject(refused);
    await expect(search({ q: 'x', limit: 101 })).rejects.toMatchObject(refused);
    for (const q of [`' OR "words`, 'NEAR(a b)', 'a AND NOT b', `it''s`, '^a:b', '{x} : y', "'x':*", '\\'])
      await search({ q }).catch((error: unknown) => expect(error).toMatchObject(refused));
  });

  it('forgets with the message: a session, a person, a retention', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const gone = ['zeppelinsession', 'zeppelinperson', 'zeppelinretention'];
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: 'u_9' } });
    await say(`${gone[0]} crème`, { roomId: 'doomed' });
    await say(`${gone[1]} crème`, { externalUserId: 'u_9' });
    await say(`${gone[2]} crème`);
    for (const q of gone) expect(await found({ q })).toHaveLength(1);
    await daemon.client.call(sessionRoutes.remove, { params: { ...params(), id: await sessionIn('doomed') } });
    sessions.delete(`${daemon.projectId} doomed`);
    const { participants } = await daemon.client.call(participantRoutes.list, {
      params: params(),
      query: { search: 'u_9' },
    });
    await daemon.client.call(participantRoutes.remove, { params: { ...params(), id: participants[0]?.id ?? '' } });
    await daemon.admin.call(settingsRoutes.update, { params: params(), body: { transcriptRetentionDays: 1 } });
    aheadMs += 2 * 86_400_000;
    await daemon.restart();
    await eventually(async () => expect(await found({ q: gone[2] ?? '' })).toEqual([]));
    for (const q of gone) expect(await found({ q })).toEqual([]);
    const tables = await contentsOf(url());
    expect(Object.keys(tables)).toEqual(expect.arrayContaining(['MessageIndexed']));
    const kept = Object.entries(tables).filter(([name]) => name.startsWith('Message'));
    expect(kept.filter(([, rows]) => rows.some((row) => row.includes('zeppelin'))).map(([name]) => name)).toEqual([]);
    if (kind === 'SQLite') {
      const database = await Database.connect(url());
      await database.dropLeftovers();
      await database.close();
      await eventually(async () => expect(filesWith(daemon.dataDir, ['zeppelin'])).toEqual([]));
    }
    await daemon.admin.call(settingsRoutes.update, { params: params(), body: { transcriptRetentionDays: null } });
  });

  it('finds what was stored before there was an index, older than what came after', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    // More than the index takes up at once; the order of the last two counts.
    const atOnce = 20;
    for (let index = 0; index < 120; index += atOnce)
      await Promise.all(
        Array.from({ length: index + atOnce < 120 ? atOnce : atOnce - 2 }, (_, one) => say(`old words ${index + one}`)),
      );
    for (const last of [118, 119]) await say(`old words ${last}`);
    const database = await Database.connect(url());
    await database.transaction((tx) => tx.$executeRawUnsafe('DELETE FROM "MessageIndexed"'));
    await database.close();
    expect(await found({ q: 'old' })).toEqual([]);
    await say('new words, not old');
    await daemon.restart();
    await eventually(async () => expect((await search({ q: 'words', limit: 100 })).hits.length).toBe(100));
    const newest = await found({ q: 'words', limit: 3 });
    expect(newest).toEqual(['new words, not old', 'old words 119', 'old words 118']);
    await eventually(async () => expect(await found({ q: '"old words 0"' })).toEqual(['old words 0']));
  });

  it('comes to an end with indexing where places and ids are in another order', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    for (let index = 0; index < 5; index += 1) await say(`in another order ${index}`);
    const database = await Database.connect(url());
    const newestLowest =
      'UPDATE "MessageIndexed" SET "seq" = 1 WHERE "messageId" = (SELECT MAX("messageId") FROM "MessageIndexed")';
    await eventually(async () => {
      let filled: number | null = null;
      const undone = database.transaction(async (tx) => {
        await tx.$executeRawUnsafe(newestLowest);
        filled = await new SearchStore(database).fill(tx, 3);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(filled).toBe(0);
    });
    await database.close();
  });

  it('is one command', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    await daemon.client.call(participantRoutes.create, {
      params: params(),
      body: { externalUserId: 'u_7', displayName: 'Robert' },
    });
    await say('the treasure is here', { externalUserId: 'u_7' });
    const shell = commandLine(() => ({
      EARSHOT_URL: daemon.url,
      EARSHOT_API_KEY: daemon.apiKey,
      EARSHOT_PROJECT: daemon.projectId,
    }));
    const { code, stdout } = await shell.run([
      'messages',
      'search',
      'TREASURE',
      '--room',
      'arena',
      '--user',
      'robert',
      '--context',
    ]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('the treasure is here') });
    expect(stdout).not.toContain('\u001b');
    const coloured = await shell.run(['messages', 'search', 'treasure'], { isTerminal: true });
    expect(coloured.stdout).toContain('\u001b[33mtreasure\u001b[39m');
    const answer = await shell.json<{ hits: { marks: unknown }[] }>(['messages', 'search', 'treasure']);
    expect(answer.hits[0]?.marks).toEqual([{ start: 4, end: 12 }]);
    shell.dispose();
  });
});
