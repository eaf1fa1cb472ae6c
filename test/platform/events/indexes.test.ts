/** Index that SQLite takes for the events of one thing. By the one of persons it would read all events about nobody. */
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logStatements, subjectRows } from '../../../daemon/platform/events/sql.js';
import { openSqlite, type TestDatabase } from '../../support/database.js';

let opened: TestDatabase;
let file: BetterSqlite.Database;
beforeAll(async () => {
  opened = await openSqlite();
  file = new BetterSqlite(opened.database.url.slice('file:'.length), { readonly: true });
});
afterAll(async () => {
  file.close();
  await opened.close();
});

const about = subjectRows.text([{ subjectUserId: null, resourceId: 'session:1' }]);

it.each([
  ['to be redacted', logStatements.sqlite.resourceEvents, [about, 'p']],
  ['newest first', logStatements.sqlite.resourceTimeline, ['p', 'session:1', '["bot.failed"]', 10]],
])('events of a thing, %s, are found by the thing', (_, statement, parameters) => {
  const plan = file.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).all(...parameters);
  const used = plan.map(({ detail }) => /USING (?:COVERING )?INDEX (\w+)/.exec(detail)?.[1]).filter(Boolean);
  expect(used).toEqual(['DomainEvent_projectId_resourceId_position_idx']);
  expect(plan.map(({ detail }) => detail)).not.toContain('USE TEMP B-TREE FOR ORDER BY');
});
