/**
 * Makes the database that an upgrade from a version starts with: `node test/upgrades/record.mjs CHECKOUT NAME`. CHECKOUT is a
 * built working copy of the version. Its daemon does what it can of the list below; what a version does not
 * have yet is left out. The result is `versions/NAME.db.br`, and `versions/NAME.key-ring.json`, which decrypts its secrets.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { brotliCompressSync, constants } from 'node:zlib';
import BetterSqlite3 from 'better-sqlite3';

const [checkout = '', name = ''] = process.argv.slice(2);
const versions = join(import.meta.dirname, 'versions');
const dataDir = mkdtempSync(join(tmpdir(), 'earshot-version-'));
const administrator = { email: 'admin@localhost', password: 'a long enough password' };
/** Nobody listens there, so that webhooks wait. */
const deaf = 'http://127.0.0.1:9/';

const environment = {
  ...{ PATH: process.env.PATH, HOME: dataDir, EARSHOT_DATA_DIR: dataDir, EARSHOT_HOST: '127.0.0.1' },
  ...{ EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off' },
  ...{ EARSHOT_ADMIN_PASSWORD: administrator.password, EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' },
};
const daemon = spawn(process.execPath, [resolve(checkout, 'bin/earshotd.js'), 'run'], {
  env: environment,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((done) => daemon.once('exit', done));
const url = await new Promise((found) => {
  createInterface({ input: daemon.stdout }).on('line', (line) => {
    const [address] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (address !== undefined) found(address);
  });
});

let credential = {};
/** Makes a call; null: this version refuses it, or does not have it. */
async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { ...credential, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text === '' ? {} : JSON.parse(text);
  console.error(`  ${response.status} ${method} ${path.slice(0, 80)} ${text.slice(0, 160)}`);
  return null;
}

const { accessToken } = await call('POST', '/api/auth/login-credentials', administrator);
credential = { Authorization: `Bearer ${accessToken}` };
const [project] = await call('GET', '/api/projects');
const base = `/api/projects/${project.id}`;
const post = (path, body = {}) => call('POST', base + path, body);
const patch = (path, body) => call('PATCH', base + path, body);
const put = (path, body) => call('PUT', base + path, body);

// Webhooks of all events, to nowhere: what happens next waits for delivery.
await post('/webhooks/subscriptions', { url: deaf, secret: 'a long enough secret', events: ['*'] });
await post('/plugins/instances', { pluginId: 'toxicity', settings: {} });
const when = { all: [{ words: { any: ['cheater'] } }] };
const steps = [[{ sanction: { type: 'mute', duration: 60, reason: 'Words' } }, { webhook: { label: 'words' } }]];
await post('/rules', { name: 'Words', definition: { format: 1, mode: 'enforce', when, steps } });
await put('/sanction-templates/spam', { reason: 'Spam is not allowed.' });

const people = [];
for (const externalUserId of ['ada', 'grace', 'alan'])
  people.push(await post('/participants', { externalUserId, displayName: `The player ${externalUserId}` }));
const [ada, grace] = people;
await patch(`/participants/${ada.id}`, { displayName: 'Countess' });
await post(`/participants/${ada.id}/notes`, { text: 'Was warned before.' });

const session = await post('/sessions', { title: 'Match', externalRoomId: 'room-1' });
for (const [externalUserId, content] of [
  ['ada', 'Hello there'],
  ['grace', 'You cheater'],
  ['ada', 'fuck you'],
])
  await post(`/sessions/${session.id}/messages`, { externalUserId, content });

const imposed = [];
for (const body of [
  { type: 'warn', externalUserId: 'ada', reason: 'Language' },
  { type: 'mute', externalUserId: 'ada', duration: 3600, template: 'spam' },
  { type: 'temp_ban', externalUserId: 'grace', duration: 86_400, reason: 'Threats', note: 'Second time' },
  { type: 'perm_ban', externalUserId: 'alan', reason: 'Cheats' },
])
  imposed.push(await post('/sanctions', body));
await patch(`/sanctions/${imposed[1]?.id}`, { reason: 'Spam again' });
await post(`/sanctions/${imposed[0]?.id}/revoke`);
await post('/sanctions/batch', {
  items: [
    { type: 'warn', externalUserId: 'mary' },
    { type: 'warn', externalUserId: 'joan' },
  ],
});
for (const [sanction, decision] of [
  [imposed[2], 'overturned'],
  [imposed[3], 'upheld'],
]) {
  const review = await post(`/sanctions/${sanction?.id}/appeal`, { statement: 'It was not me.' });
  if (review === null) continue;
  await patch(`/reviews/${review.id}`, { status: 'claimed' });
  await patch(`/reviews/${review.id}`, { status: 'decided', decision, answer: 'We looked at it.' });
}
await post(`/sanctions/${imposed[1]?.id}/appeal`, { statement: 'Please look again.' });

const report = { roomId: 'room-1', externalUserId: 'ada', category: 'harassment', words: 'She swore at me' };
await post('/reports', { ...report, reporterUserId: 'grace' });
const reported = await post('/reports', {
  ...report,
  externalUserId: 'alan',
  category: 'cheating',
  reporterUserId: 'mary',
});
const cases = await call('GET', `${base}/cases`);
const toDecide = cases?.cases.find(({ externalUserId }) => externalUserId === 'alan');
if (reported !== null && toDecide !== undefined) {
  await post(`/cases/${toDecide.id}/claim`);
  await post(`/cases/${toDecide.id}/decide`, { decision: 'no_action', reasonCode: 'no_violation' });
}
await post('/orders', {
  ...{ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: '7 Gs 12/26', category: 'harassment' },
  ...{ legalGround: '§ 130 StGB', externalUserId: 'alan' },
});
await post('/people/ada/blocks', { blockedUserId: 'alan' });
await put('/rooms/room-1/mute', { duration: 600 });

const gathering = await post('/gatherings', { name: 'Lobby', properties: { map: 'dust' } });
await post(`/gatherings/${gathering?.id}/members`, { participantId: ada.id });
const invitations = await post(`/gatherings/${gathering?.id}/invite`, { participantIds: [grace.id] });
await post(`/gatherings/invitations/${invitations?.[0]?.id}/accept`, { participantId: grace.id });
await patch(`/gatherings/${gathering?.id}/members/${ada.id}`, { ready: true });
await post(`/gatherings/${gathering?.id}/start`);
await post(`/gatherings/${gathering?.id}/end`);

const category = await post('/challenge-categories', {
  name: { en: 'Daily' },
  slug: 'daily',
  position: 1,
  isDaily: true,
});
const challenge = await post('/challenges', {
  ...{ name: { en: 'Three down' }, eventName: 'kill-enemy', goal: 3, autoActivated: true, xp: 10 },
  ...(category === null ? {} : { categoryId: category.id }),
});
const board = await post('/leaderboards', { name: { en: 'Kills' }, eventName: 'kill-enemy', aggregate: 'sum' });
const pass = await post('/battle-passes', { name: { en: 'Season one' } });
const level = await post(`/battle-passes/${pass?.id}/levels`, {
  position: 1,
  challenges: [{ name: { en: 'One down' }, eventName: 'kill-enemy', goal: 1 }],
});
await post(`/players/ada/battle-passes/${pass?.id}/unlock`);
await post(`/players/ada/battle-pass-levels/${level?.id}/activate`);
await post(`/players/ada/challenges/${challenge?.id}/unlock`);
await post(`/players/ada/challenges/${challenge?.id}/activate`);
for (const userId of ['ada', 'ada', 'ada', 'ada', 'grace'])
  await post(`/players/${userId}/events`, { event_name: 'kill-enemy', metadata: { amount: 1 } });
await post(`/players/ada/challenges/${challenge?.id}/claim`);
await post(`/players/ada/battle-pass-levels/${level?.id}/claim`);
await post(`/leaderboards/${board?.id}/rebuilds`, { without: ['grace'] });
await post(`/sessions/${session.id}/stop`);
await call('DELETE', `${base}/participants/${people[2].id}`);

await new Promise((done) => setTimeout(done, 3_000)); // plugins, rules and rebuilds follow the log

daemon.kill('SIGTERM');
await ended;
copyFileSync(join(dataDir, 'key-ring.json'), join(versions, `${name}.key-ring.json`));
const small = join(dataDir, 'small.db');
const database = new BetterSqlite3(join(dataDir, 'earshot.db'));
database.prepare('VACUUM INTO ?').run(small);
const { events } = database.prepare('SELECT count(*) AS events FROM "DomainEvent"').get();
database.close();
const bytes = readFileSync(small);
const compressed = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});
writeFileSync(join(versions, `${name}.db.br`), compressed);
rmSync(dataDir, { recursive: true });
console.log(`${name}: ${events} events, ${bytes.length} bytes, ${compressed.length} compressed`);
