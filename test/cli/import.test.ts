/** `earshot import`: from services by their API, and from files that others leave; nothing twice, however often it breaks off. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let folder: string;
const cli = commandLine(() => ({
  EARSHOT_URL: daemon.url,
  EARSHOT_API_KEY: daemon.apiKey,
  EARSHOT_IMPORT_KEY: daemon.apiKey,
}));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-import-'));
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const newProject = async (name: string) => ({
  projectId: (await daemon.admin.call(projectRoutes.create, { body: { name } })).id,
});

interface Report {
  readonly counts: Record<string, Record<'found' | 'created' | 'there' | 'left' | 'refused', number>>;
  readonly ids: { readonly kind: string; readonly from: string; readonly to: string }[];
  readonly differences: string[];
}

/** Imports into the project; the counts by kind. */
async function imported(projectId: string, ...words: string[]): Promise<Report> {
  const { stdout, stderr } = await cli.run(['import', ...words, '--project', projectId, '--json']);
  if (stdout === '') throw new Error(stderr);
  const { counts, ...others } = JSON.parse(stdout);
  return {
    ...others,
    counts: Object.fromEntries(counts.map(({ kind, ...count }: { kind: string }) => [kind, count])),
  };
}
const scores = async (params: { projectId: string }, name: string) => {
  const { leaderboards } = await daemon.client.call(leaderboardRoutes.list, { params });
  const { id = '' } = leaderboards.find((one) => one.name.en === name) ?? {};
  const { entries } = await daemon.client.call(leaderboardRoutes.ranking, { params: { ...params, id } });
  return entries.map(({ memberId, score }) => [memberId, score]);
};

describe('from the hosted service of voice rooms', () => {
  let from: { projectId: string };
  let to: { projectId: string };
  let words: string[];
  let bannedId: string;
  beforeAll(async () => {
    from = await newProject('there');
    to = await newProject('here');
    words = ['voice-service', '--from', daemon.url, '--from-project', from.projectId];
    const { client } = daemon;
    const [ann, ben] = await Promise.all(
      ['ann', 'ben'].map((externalUserId) =>
        client.call(participantRoutes.create, {
          params: from,
          body: { externalUserId, displayName: externalUserId.toUpperCase(), userData: { level: 3 } },
        }),
      ),
    );
    const over = await client.call(sanctionRoutes.create, {
      params: from,
      body: { type: 'mute', externalUserId: 'ann' },
    });
    await client.call(sanctionRoutes.revoke, { params: { ...from, id: over.id }, body: {} });
    await client.call(gatheringRoutes.create, {
      params: from,
      body: { name: 'Friday', ownerId: ann?.id ?? '', maxMembers: 4, properties: { map: 'dust' } },
    });
    const done = await client.call(gatheringRoutes.create, { params: from, body: { name: 'Thursday' } });
    await client.call(gatheringRoutes.cancel, { params: { ...from, id: done.id } });
    const { gatherings } = await client.call(gatheringRoutes.list, { params: from, query: { status: 'pending' } });
    await client.call(gatheringMemberRoutes.add, {
      params: { ...from, id: gatherings[0]?.id ?? '' },
      body: { participantId: ben?.id ?? '' },
    });
    const body = { type: 'temp_ban' as const, externalUserId: 'ben', duration: 86_400, reason: 'Insults' };
    bannedId = (await client.call(sanctionRoutes.create, { params: from, body })).id;
    await client.call(webhookRoutes.create, {
      params: from,
      body: { url: 'https://studio.example/hook', secret: 'a long enough secret', events: ['sanction.*'] },
    });
    const bot = { tokenProvider: 'embedded' as const, botUserId: 'ear', botUserData: { role: 'bot' } };
    await client.call(settingsRoutes.put, { params: from, body: bot });
    const { id } = await client.call(sessionRoutes.create, {
      params: from,
      body: { title: 'Talk', externalRoomId: 'talk', autoStart: false },
    });
    await client.call(sessionRoutes.say, {
      params: { ...from, id },
      body: { externalUserId: 'ann', content: 'hello there' },
    });
  }, 60_000);

  it('shows in a dry run what would be created, and changes nothing', async () => {
    const { counts } = await imported(to.projectId, ...words, '--dry-run');
    expect(counts).toMatchObject({
      participants: { found: 2, created: 2 },
      sanctions: { found: 2, created: 1, left: 1 },
      gatherings: { found: 2, created: 1, left: 1 },
      members: { found: 2, created: 2 },
      webhooks: { found: 1, created: 1 },
      settings: { found: 1, created: 1 },
      sessions: { found: 1, left: 1 },
    });
    expect(await daemon.client.call(participantRoutes.list, { params: to })).toMatchObject({ total: 0 });
  });

  it('creates it, maps the ids and names what it cannot take along', async () => {
    const kept = join(folder, 'sessions.ndjson');
    const ids = join(folder, 'ids.csv');
    const report = await imported(to.projectId, ...words, '--transcripts', kept, '--mapping', ids);
    expect(report.counts).toMatchObject({
      participants: { created: 2, refused: 0 },
      sanctions: { created: 1, left: 1, refused: 0 },
      gatherings: { created: 1, left: 1, refused: 0 },
      webhooks: { created: 1 },
      settings: { created: 1 },
      sessions: { created: 1 },
    });
    const { sanctions } = await daemon.client.call(sanctionRoutes.list, { params: to });
    const [ban] = sanctions;
    expect(sanctions).toHaveLength(1);
    const there = await daemon.client.call(sanctionRoutes.get, { params: { ...from, id: bannedId } });
    const { type, externalUserId, reason, startAt, endAt } = there;
    expect(ban).toMatchObject({ type, externalUserId, reason, startAt, endAt });
    expect(report.ids).toContainEqual({ kind: 'sanctions', from: bannedId, to: ban?.id });
    expect(readFileSync(ids, 'utf8')).toContain(`sanctions,${bannedId},${ban?.id}\r\n`);
    const { gatherings } = await daemon.client.call(gatheringRoutes.list, { params: to });
    expect(gatherings).toMatchObject([
      { name: 'Friday', status: 'CREATED', maxMembers: 4, memberCount: 2, properties: { map: 'dust' } },
    ]);
    const [webhook] = await daemon.client.call(webhookRoutes.list, { params: to });
    expect(webhook).toMatchObject({ url: 'https://studio.example/hook', events: ['sanction.*'], enabled: false });
    expect(report.differences.join('\n')).toContain(`earshot webhooks update ${webhook?.id} --enabled`);
    const settings = await daemon.client.call(settingsRoutes.get, { params: to });
    expect(settings).toMatchObject({ botUserId: 'ear', botUserData: { role: 'bot' } });
    const [session = ''] = readFileSync(kept, 'utf8').split('\n');
    expect(JSON.parse(session)).toMatchObject({ title: 'Talk', messages: [{ content: 'hello there' }] });
  });

  it('finds all of it in a second run, and creates nothing again', async () => {
    const { counts } = await imported(to.projectId, ...words);
    for (const kind of ['participants', 'sanctions', 'gatherings', 'members', 'webhooks', 'settings'])
      expect({ kind, ...counts[kind] }).toMatchObject({ kind, created: 0, refused: 0 });
    expect(await daemon.client.call(participantRoutes.list, { params: to })).toMatchObject({ total: 2 });
    expect(await daemon.client.call(sanctionRoutes.list, { params: to })).toMatchObject({ total: 1 });
    expect(await daemon.client.call(gatheringRoutes.list, { params: to })).toMatchObject({ total: 1 });
  });

  it('names people who are called otherwise here, and leaves them so', async () => {
    const { participants } = await daemon.client.call(participantRoutes.list, { params: to, query: { search: 'ann' } });
    const params = { ...to, id: participants[0]?.id ?? '' };
    await daemon.client.call(participantRoutes.update, { params, body: { displayName: 'Annie' } });
    const { differences } = await imported(to.projectId, ...words);
    expect(differences).toContain('participants ann: is called Annie here and ANN there');
  });
});

describe('from the hosted service of challenges', () => {
  it('moves boards with their scores, and writes the rest as a season file without events', async () => {
    const [from, to] = [await newProject('game there'), await newProject('game here')];
    const { client } = daemon;
    await client.call(leaderboardRoutes.create, { params: from, body: { name: 'Kills', eventName: 'kill-enemy' } });
    for (const [userId, amount] of [
      ['ann', 5],
      ['ben', 9],
    ] as const)
      await client.call(playerRoutes.sendEvent, {
        params: { ...from, userId },
        body: { event_name: 'kill-enemy', metadata: { amount } },
      });
    await client.call(challengeRoutes.create, {
      params: from,
      body: { name: 'Three down', eventName: 'kill-enemy', goal: 3, repeatable: true },
    });
    const { id } = await client.call(battlePassRoutes.create, { params: from, body: { name: 'Winter' } });
    await client.call(battlePassLevelRoutes.create, {
      params: { ...from, id },
      body: { position: 1, challenges: [{ name: 'Warm up', eventName: 'kill-enemy', goal: 1 }] },
    });
    const season = join(folder, 'season.json');
    const words = ['gameplay-service', '--from', daemon.url, '--from-project', from.projectId, '--season', season];
    const { counts, differences } = await imported(to.projectId, ...words);
    expect(counts).toMatchObject({ leaderboards: { created: 1 }, scores: { found: 2, created: 2 } });
    expect(await scores(to, 'Kills')).toEqual([
      ['ben', 9],
      ['ann', 5],
    ]);
    expect(differences.join('\n')).toContain('1 challenges and 1 battle passes: the service does not say which events');
    const written = readFileSync(season, 'utf8').replaceAll('"eventName": ""', '"eventName": "kill-enemy"');
    const apply = ['gameplay', 'apply', file('filled.json', written), '--project', to.projectId];
    const { code } = await cli.run(apply);
    expect(code).toBe(0);
    const { challenges } = await client.call(challengeRoutes.list, { params: to });
    expect(challenges).toMatchObject([{ name: { en: 'Three down' }, goal: 3, repeatable: true }]);
  });
});

describe('from a file of Nakama', () => {
  const record = (owner_id: string, score: string, update_time: string) => ({
    ...{ leaderboard_id: 'weekly', owner_id, username: owner_id.toUpperCase(), score, subscore: '0', num_score: 1 },
    ...{ metadata: '{}', create_time: update_time, update_time, rank: '1', max_num_score: 0 },
  });
  const records = [
    record('u-late', '70', '2026-01-03T00:00:00Z'),
    record('u-early', '70', '2026-01-02T00:00:00Z'),
    record('u-best', '90', '2026-01-04T00:00:00Z'),
  ];

  it('moves people and scores once, the earlier of equals ahead, and replaces a score that has changed', async () => {
    const to = await newProject('from nakama');
    const path = file('records.json', JSON.stringify({ records, owner_records: [], next_cursor: '' }));
    for (const created of [3, 0]) {
      const { counts } = await imported(to.projectId, 'nakama', path);
      expect(counts).toMatchObject({ scores: { found: 3, created, there: 3 - created, refused: 0 } });
    }
    const expected = [
      ['u-best', 90],
      ['u-early', 70],
      ['u-late', 70],
    ];
    expect(await scores(to, 'weekly')).toEqual(expected);
    const { participants } = await daemon.client.call(participantRoutes.list, { params: to });
    expect(participants.map(({ displayName }) => displayName).sort()).toEqual(['U-BEST', 'U-EARLY', 'U-LATE']);
    const better = JSON.stringify({ records: [record('u-late', '95', '2026-01-05T00:00:00Z')] });
    await imported(to.projectId, 'nakama', file('better.json', better));
    expect((await scores(to, 'weekly'))[0]).toEqual(['u-late', 95]);
  });

  it('reads the same as CSV, an export of an account, and a list of users', async () => {
    const to = await newProject('nakama csv');
    const csv =
      'leaderboard_id,owner_id,username,score,update_time\r\nlaps,u1,Ann,120,2026-01-01T00:00:00Z\r\nlaps,u2,Ben,90,\r\n';
    const { counts } = await imported(to.projectId, 'nakama', file('records.csv', csv), '--order', 'asc');
    expect(counts).toMatchObject({ scores: { created: 2 } });
    expect(await scores(to, 'laps')).toEqual([
      ['u2', 90],
      ['u1', 120],
    ]);
    const account = { account: { user: { id: 'u3', username: 'cid' } }, leaderboard_records: [record('u3', '4', '')] };
    const users = [{ id: 'u4', username: 'dee', display_name: 'Dee' }];
    await imported(to.projectId, 'nakama', file('account.json', JSON.stringify(account)));
    await imported(to.projectId, 'nakama', file('users.json', JSON.stringify({ users })));
    const { participants } = await daemon.client.call(participantRoutes.list, { params: to });
    expect(participants.map(({ displayName }) => displayName).sort()).toEqual(['Ann', 'Ben', 'Dee', 'cid'].sort());
  });

  it('names a score that Earshot does not take, and moves the others', async () => {
    const to = await newProject('nakama refused');
    const rows = [record('u1', '-5', ''), record('u2', '5', '')];
    const { counts, differences } = await imported(
      to.projectId,
      'nakama',
      file('rows.json', JSON.stringify({ records: rows })),
    );
    expect(counts).toMatchObject({ scores: { found: 2, created: 1, refused: 1 } });
    expect(differences.join('\n')).toContain('scores weekly: u1 with -5');
  });

  it('asks for the board where no column names it, and for a whole score', async () => {
    const to = await newProject('nakama unnamed');
    const unnamed = await cli.run([
      'import',
      'nakama',
      file('unnamed.csv', 'owner_id,score\nu1,5\n'),
      '--project',
      to.projectId,
    ]);
    expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--board') });
    const broken = await cli.run([
      'import',
      'nakama',
      file('broken.csv', 'owner_id,score\nu1,5.5\n'),
      '--board',
      'b',
      '--project',
      to.projectId,
    ]);
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('5.5') });
  });
});

it('reads statistics of PlayFab, from CSV and from profiles of players', async () => {
  const to = await newProject('from playfab');
  const csv = 'PlayFabId,DisplayName,StatisticName,Value\r\nA1,Ann,Kills,7\r\nB2,Ben,Kills,3\r\nB2,Ben,Deaths,9\r\n';
  expect((await imported(to.projectId, 'playfab', file('statistics.csv', csv))).counts).toMatchObject({
    leaderboards: { created: 2 },
    scores: { created: 3 },
  });
  const profiles = { PlayerProfiles: [{ PlayerId: 'C3', DisplayName: 'Cid', Statistics: { Kills: 8 } }] };
  await imported(to.projectId, 'playfab', file('profiles.json', JSON.stringify(profiles)));
  expect(await scores(to, 'Kills')).toEqual([
    ['C3', 8],
    ['A1', 7],
    ['B2', 3],
  ]);
});

describe("from Talo's API", () => {
  /** Two entries a page, as https://docs.trytalo.com/docs/http/leaderboard-api shows them. */
  const entries = [
    ['ann', 30],
    ['ben', 20],
    ['ann', 10],
  ].map(([identifier, score], position) => ({
    ...{ id: position, position, score, leaderboardInternalName: 'weekly', hidden: false },
    playerAlias: { id: position, service: 'username', identifier, player: { id: `p${position}`, props: [] } },
    ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-02T00:00:00Z' },
  }));
  const asked: string[] = [];
  let refusals = 1;
  const talo = http.createServer(({ url = '', headers }, response) => {
    asked.push(`${headers.authorization} ${url}`);
    if (refusals-- > 0) return void response.writeHead(429, { 'Retry-After': '0' }).end();
    const page = Number(new URL(url, 'http://talo').searchParams.get('page'));
    const shown = entries.slice(page * 2, page * 2 + 2);
    response.end(JSON.stringify({ entries: shown, count: entries.length, itemsPerPage: 2, isLastPage: page === 1 }));
  });
  beforeAll(() => new Promise<void>((resolve) => talo.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void talo.close());

  it('reads the pages of a board, waits where it is asked to, and takes the best entry of each', async () => {
    const to = await newProject('from talo');
    const url = `http://127.0.0.1:${(talo.address() as AddressInfo).port}`;
    const { counts } = await imported(to.projectId, 'talo', '--from', url, '--board', 'weekly');
    expect(counts).toMatchObject({ participants: { created: 2 }, scores: { found: 2, created: 2 } });
    expect(await scores(to, 'weekly')).toEqual([
      ['ann', 30],
      ['ben', 20],
    ]);
    expect(asked.at(-1)).toBe(`Bearer ${daemon.apiKey} /v1/leaderboards/weekly/entries?page=1`);
  });
});

it('goes on where it was ended in the middle, and nothing is there twice', async () => {
  const to = await newProject('broken off');
  const rows = Array.from({ length: 60 }, (_, index) => `u${index},${index + 1}`);
  const path = file('many.csv', `owner_id,score\n${rows.join('\n')}\n`);
  const words = ['import', 'nakama', path, '--board', 'many', '--project', to.projectId];
  const total = async () => (await daemon.client.call(participantRoutes.list, { params: to })).total;
  const running = cli.run(words);
  const killer = (async () => {
    while ((await total()) < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    await daemon.restart();
  })();
  const [first] = await Promise.all([running, killer]);
  expect(first.code).not.toBe(0);
  expect(await total()).toBeLessThan(60);
  const { counts } = await imported(to.projectId, 'nakama', path, '--board', 'many');
  expect(counts).toMatchObject({
    participants: { found: 60, refused: 0 },
    scores: { found: 60, created: 60, refused: 0 },
  });
  expect(await total()).toBe(60);
  expect((await scores(to, 'many'))[0]).toEqual(['u59', 60]);
});

it('says which service does not answer, and what a source needs', async () => {
  const at = ['--project', daemon.projectId];
  const unreachable = await cli.run(['import', 'talo', '--from', 'http://127.0.0.1:9', '--board', 'b', ...at]);
  expect(unreachable).toMatchObject({ code: 5, stderr: expect.stringContaining('127.0.0.1:9 does not answer') });
  expect(await cli.run(['import', 'voice-service', ...at])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from'),
  });
});
