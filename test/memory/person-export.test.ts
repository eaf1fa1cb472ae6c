/** The export of a person with very much: the memory of the daemon, and of the command that writes it. */
import { execFile } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import BetterSqlite from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportedPerson } from '../../src/cli/people/person-export.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { Heap, inspected, mebibyte } from '../support/heap.js';
import { programEnvironment } from '../support/program-environment.js';
import { scale } from '../support/scale.js';

const own = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const messages = scale(6_000, 200_000);
const auditEntries = scale(5_000, 100_000);
/** One message in so many has its sound. */
const soundEvery = scale(7, 25);
const sound = Buffer.alloc(64 * 1024, 'RIFF');
/** All of it is larger than 60 MB. */
const grownMax = 4 * mebibyte;
/** Heap of the command; its output is larger. */
const commandHeapMb = 56;

let daemon: DaemonProcess;
let client: EarshotClient;
let token: string;
let projectId: string;

beforeAll(async () => {
  daemon = new DaemonProcess({
    ...inSqlite, // the rows are put into its file
    NODE_OPTIONS: inspected,
    EARSHOT_ROLES: 'http',
    EARSHOT_RATE_LIMIT_CREDENTIAL: '0',
  });
  const { http: baseUrl } = await daemon.start();
  const anonymous = new EarshotClient({ baseUrl });
  token = (await anonymous.call(accountRoutes.loginCredentials, { body: administrator })).accessToken;
  client = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token } });
  projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
  const params = { projectId };
  await client.call(participantRoutes.create, { params, body: { externalUserId: 'ann', displayName: 'Ann' } });
  await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
  await client.call(settingsRoutes.debugAudio, { params, body: { enabled: true } });
  const body = { title: 'Years', externalRoomId: 'hall', autoStart: false };
  const { id: sessionId } = await client.call(sessionRoutes.create, { params, body });
  mkdirSync(join(daemon.dataDir, 'audio'), { recursive: true });
  writeFileSync(join(daemon.dataDir, 'audio', 'ann.wav'), sound);
  await eventually(() => {
    const database = new BetterSqlite(join(daemon.dataDir, 'earshot.db'), { timeout: 0 });
    const at = new Date().toISOString();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const message = database.prepare(
      `INSERT INTO "Message" ("id", "projectId", "sessionId", "type", "senderName", "content", "timestamp", "externalUserId",
        "shadowMuted", "audioFile", "audioExpiresAt") VALUES (?, ?, ?, 'user', 'Ann', ?, ?, 'ann', 0, ?, ?)`,
    );
    const entry = database.prepare(
      `INSERT INTO "AuditEntry" ("id", "projectId", "at", "actorKind", "action", "outcome", "changed")
        VALUES (?, ?, ?, 'operator', 'createParticipantNote', 'done', '[]')`,
    );
    const target = database.prepare(
      `INSERT INTO "AuditTarget" ("entryId", "place", "projectId", "kind", "targetId") VALUES (?, ?, ?, 'person', 'ann')`,
    );
    database.transaction(() => {
      for (let index = 0; index < messages; index += 1) {
        const file = index % soundEvery === 0 ? 'ann.wav' : null;
        message.run(uuidv7(), projectId, sessionId, `word ${index} `.repeat(20), at, file, file && until);
      }
      for (let index = 0; index < auditEntries; index += 1) {
        const id = uuidv7();
        entry.run(id, projectId, at);
        for (const place of [0, 1]) target.run(id, place, projectId);
      }
    })();
    database.close();
  });
}, 120_000);
afterAll(() => daemon.dispose());

it(`takes no memory of the daemon for each of ${messages} messages and ${auditEntries} entries`, {
  timeout: 600_000,
}, async () => {
  const heap = await Heap.of(daemon.printed);
  const counts = new Map<string, number>();
  let [read, first, last] = [0, 0, 0];
  const signal = new AbortController().signal;
  for await (const rows of exportedPerson(
    client,
    { projectId, user: 'ann' },
    { confidential: false },
    signal,
    () => {},
  )) {
    const before = read;
    read += rows.length;
    for (const { row } of rows) counts.set(row.kind, (counts.get(row.kind) ?? 0) + 1);
    const passes = (share: number) => before < messages * share && read >= messages * share;
    if (passes(0.1)) first = await heap.oldSpace();
    if (passes(0.9)) last = await heap.oldSpace();
  }
  const end = await heap.oldSpace();
  heap.close();
  expect(counts.get('message')).toBe(messages);
  expect(counts.get('auditEntry')).toBeGreaterThan(auditEntries);
  expect(last - first, 'behind nine tenths of the messages').toBeLessThan(grownMax);
  expect(end - first, 'at the end').toBeLessThan(grownMax);
});

it('is written by the command in less memory than it has', { timeout: 600_000 }, async () => {
  const file = join(daemon.dataDir, 'ann.json');
  const args = [`--max-old-space-size=${commandHeapMb}`, own, 'participants', 'export', 'ann', '--id', '--out', file];
  const env = { ...programEnvironment, EARSHOT_URL: daemon.url, EARSHOT_TOKEN: token, EARSHOT_PROJECT: projectId };
  await promisify(execFile)(process.execPath, args, { env });
  expect(statSync(file).size).toBeGreaterThan(commandHeapMb * mebibyte);
});
