/** People whose ids have characters that patterns and JSON give a meaning: exported, moved and erased like others. */
import { afterEach, expect, it } from 'vitest';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personExportRoutes } from '../../src/contract/people/person-export.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { rebuilding } from '../leaderboards/support.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { contentsOf, tracesIn } from '../support/traces.js';

let daemon: TestDaemon;
let server: PostgresqlServer | null = null;
afterEach(async () => {
  await daemon.stop();
  await server?.stop();
});

/** Each with somebody else whom a pattern would take for them. */
const pairs = [
  ['CORP\\anna', 'CORPanna'],
  ['say"hello', 'say_hello'],
  ['half_50%', 'half-50-more'],
  ["o'née", "O'NÉE"],
] as const;

it.each([
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
])('on $kind', { timeout: 120_000 }, async ({ kind, here }) => {
  if (!here) return;
  server = kind === 'PostgreSQL' ? await startPostgresql() : null;
  daemon = await startDaemon({ settings: server === null ? inSqlite : { DATABASE_URL: server.url } });
  const url = daemon.databaseUrl;
  const { admin, client, projectId } = daemon;
  const params = { projectId };
  const definition = {
    format: 1 as const,
    mode: 'dry-run' as const,
    when: { all: [{ words: { any: ['newt'] } }] },
    steps: [[{ sanction: { type: 'mute' as const, duration: 60 } }]],
  };
  const board = await client.call(leaderboardRoutes.create, {
    params,
    body: { name: 'Kills', eventName: 'kill-enemy' },
  });
  const game = await daemon.clientWith(['gameplay'], projectId);
  for (const id of pairs.flat()) {
    await client.call(ruleRoutes.create, { params, body: { name: `Spares ${id}`, exempt: [id], definition } });
    await game.call(gameplayRoutes.sendEvent, {
      body: { user_id: id, event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } },
    });
  }
  const rebuild = rebuilding(admin, { projectId, id: board.id });
  await rebuild.apply((await rebuild.make({ without: pairs.flat() })).id);

  const spared = async (user: string): Promise<string[]> => {
    const answer = await admin.fetch(personExportRoutes.export, { params: { ...params, user }, query: {} });
    const lines = (await answer.text()).trim().split('\n');
    return lines
      .map((line): { kind?: string; record?: { name?: string } } => JSON.parse(line))
      .flatMap(({ kind: of, record }) => (of === 'ruleExemption' ? [record?.name ?? ''] : []));
  };
  for (const id of pairs.flat()) expect(await spared(id)).toEqual([`Spares ${id}`]);

  const rebuilt = async () => ((await contentsOf(url)).LeaderboardRebuild ?? []).join('\n');
  const inJson = (id: string) => JSON.stringify(id);
  for (const [id, other] of pairs) {
    const moved = `new ${id}`;
    await admin.call(personMoveRoutes.move, { params: { ...params, user: id }, body: { externalUserId: moved } });
    expect(await rebuilt()).not.toContain(inJson(id));
    expect(await rebuilt()).toContain(inJson(moved));
    expect(await spared(moved)).toEqual([`Spares ${id}`]);
    await admin.call(personRoutes.erase, { params: { ...params, user: moved } });
    expect(await rebuilt()).not.toContain(inJson(moved));
    expect(await rebuilt()).toContain(inJson(other));
    expect(await spared(other)).toEqual([`Spares ${other}`]);
  }
  // Names of rules are the team's own words, and stay.
  const { Rule: _, RuleVersion: __, AuditEntry: ___, ...others } = await contentsOf(url);
  expect(tracesIn(others, ['new CORP\\anna', 'new say"hello', 'new half_50%'])).toEqual({});
});
