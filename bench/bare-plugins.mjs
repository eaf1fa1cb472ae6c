// The reference of the plugins bench: the same three plugins and twenty rules as plain calls, one after the other, and what
// they say as rows of a SQLite file, fifty messages a transaction. No requests, no log, no queue, no sandbox, no versions.
// Sent a count: says so many messages to itself, and answers with how many a second.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { sentiment } from '#dist/daemon/modules/plugins/catalogue/sentiment.js';
import { toxicity } from '#dist/daemon/modules/plugins/catalogue/toxicity.js';
import { annotationFact } from '#dist/daemon/modules/rules/judging/annotation-facts.js';
import { decide } from '#dist/daemon/modules/rules/judging/decide.js';
import { RuleDefinition } from '#dist/src/contract/rules/rule-definition.js';
import shouting from '../examples/plugin/plugin.js';
import { definitions, line } from './plugin-workload.mjs';

const atOnce = 50;
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
const database = new BetterSqlite3(join(folder, 'bare.db'));
database.pragma('journal_mode = WAL');
database.exec('CREATE TABLE "Row" ("id" TEXT PRIMARY KEY, "kind" TEXT, "data" TEXT)');
const insert = database.prepare('INSERT INTO "Row" VALUES (?, ?, ?)');
const store = database.transaction((rows) => {
  for (const { id, kind, data } of rows) insert.run(id, kind, JSON.stringify(data));
});
const rules = definitions.map((definition) => RuleDefinition.parse(definition));
const plugins = [
  { slug: 'toxicity', settings: toxicity().manifest.defaultSettings, run: toxicity().run },
  { slug: 'sentiment', settings: sentiment.manifest.defaultSettings, run: sentiment.run },
  { slug: 'shouting', settings: { letters: 8 }, run: async (run) => shouting(run.event, run)?.annotations ?? [] },
];

async function annotated(message) {
  const found = [];
  for (const { slug: pluginSlug, settings, run } of plugins) {
    const findings = await run({ event: { payload: { data: message } }, settings }).catch(() => []);
    for (const finding of findings) found.push({ id: uuidv7(), pluginSlug, ...finding });
  }
  return found;
}

/** The message and all that follows from it, as rows. */
async function judged(index) {
  const at = new Date().toISOString();
  const message = {
    ...{ id: uuidv7(), sessionId: 's', type: 'user', senderName: 'u', content: line(index), timestamp: at },
    ...{ hasDebugAudio: false, participantId: null, externalUserId: 'u', origin: 'text', startMs: null, endMs: null },
    ...{ language: null, status: null, asr: null, shadowMuted: false },
  };
  const annotations = await annotated(message);
  const facts = {
    ...{ at, messageId: message.id, sessionId: 's', externalUserId: 'u', origin: 'text' },
    ...{ annotations: annotations.map(annotationFact), role: null, sanctions: null, gameEvents: null },
    ...{ exempt: false, repeated: false, times: 0, sanctionsThisHour: 0, sanctionsPerHourMax: 20 },
  };
  const verdicts = rules.map((rule) => decide(rule, facts, message.content)).filter((one) => one.step !== null);
  return [
    { id: message.id, kind: 'message', data: message },
    ...annotations.map((data) => ({ id: uuidv7(), kind: 'annotation', data })),
    ...verdicts.map((verdict) => ({ id: uuidv7(), kind: 'decision', data: { facts, verdict } })),
  ];
}

process.on('message', async (count) => {
  const began = performance.now();
  for (let from = 0; from < count; from += atOnce) {
    const rows = [];
    for (let index = from; index < Math.min(count, from + atOnce); index += 1) rows.push(...(await judged(index)));
    store(rows);
  }
  process.send((count / (performance.now() - began)) * 1_000);
});
process.once('disconnect', () => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
