/** What the documents take for granted, and the few commands in them that cannot be played, each with its reason. */
import { blockWith } from './commands.js';
import type { Surroundings } from './played.js';

const season = ['battlePasses:', 'players:'].map((part) => blockWith('docs/gameplay.md', 'yaml', part)).join('');
const password = 'a long enough password';
const people = (...names: string[]) => names.map((name) => `earshot participants create --user ${name} --name ${name}`);
const first = (list: string) => `earshot ${list} --json | jq -r 'first(.. | objects | .id // empty)'`;
const caseOfReport = "earshot reports list --json | jq -r 'first(.. | objects | .caseId // empty)'";
const insults =
  'earshot plugins install toxicity && sed "s/Watch your language/Insults/" "$CLONE/examples/rule.yaml" > rule.yaml && earshot rules create -f rule.yaml';
const session = 'earshot sessions create --title Demo --room demo --no-auto-start';

export const surroundings: Readonly<Record<string, Surroundings>> = {
  'README.md': {
    placeholders: {
      KEY: `earshot api-keys create reader --scopes events --json | node -pe 'JSON.parse(require("fs").readFileSync(0)).key'`,
    },
    files: {
      'moderate.sh': '#!/bin/sh\nearshot mute u2 10m --new\n',
      'package.json': '{ "scripts": { "my-test": "earshot projects list" } }',
    },
  },
  'docs/audit.md': { prepare: people('bob') },
  'docs/emergency.md': {
    prepare: [
      ...people('ann', 'bob'),
      session,
      'earshot gatherings create --name "Team red" --owner ann',
      'earshot gatherings start "Team red"',
      insults,
      'earshot api-keys create leaked --scopes events',
      'earshot reports create --user bob --category threats --words "he said he knows where I live"',
    ],
    placeholders: { CASE: caseOfReport },
    // Nobody has joined the room, and no rule has imposed anything.
    exits: { 'earshot ban --from-room': 4, 'earshot participants notify': 4 },
    asks: ['earshot rules undo Insults --since 2h --reason', 'earshot api-keys revoke'],
  },
  'docs/engines.md': {
    addresses: { 'https://voice.studio.example': '{url}' },
    prepare: [session, 'ROOM_TOKEN=$(earshot tokens create --room raid-7 --user u_1 --json | jq -r .token)'],
  },
  'docs/events.md': { addresses: { 'mosquitto_sub -h 127.0.0.1': 'mosquitto_sub -h 127.0.0.1 -p {mqtt}' } },
  'docs/functions.md': {
    addresses: { 'https://hosting.example/v1': '{hosting}', '"TOKEN"': '"token-of-the-hosting-api"' },
  },
  'docs/gameplay.md': {
    files: {
      'season.yaml': season,
      'events.csv': `user_id,event_name,event_type,amount\n${'u_42,kill-enemy,single,3\n'.repeat(4)}`,
    },
    placeholders: {
      REBUILD: first('leaderboards rebuilds Hunters'),
      DELETION: `earshot leaderboards create --name Gone --event-name kill-enemy >/dev/null && earshot leaderboards delete Gone --yes >/dev/null 2>&1 && ${first('gameplay deletions')}`,
      Staging: 'earshot projects create Staging --json | jq -r .id',
      Live: 'earshot projects create Live --json | jq -r .id',
    },
  },
  'docs/import.md': {
    files: {
      'records.json':
        '{"records":[{"leaderboard_id":"weekly","owner_id":"u_1","username":"ann","score":"70","update_time":"2026-01-02T00:00:00Z"}]}',
      'laps.csv': 'owner_id,username,score\nu_1,ann,93\n',
      'statistics.csv': 'PlayFabId,StatisticName,Value\nA1,Kills,7\n',
    },
  },
  'docs/gatherings.md': {
    prepare: people('ann', 'bob', 'cid'),
    placeholders: { 'ABCD-EFGH': "earshot gatherings list --json | jq -r 'first(.. | objects | .joinCode // empty)'" },
  },
  'docs/moderation.md': {
    // There are sanctions; nobody has joined the room, and so none of these is of a batch.
    exits: {
      ...{ 'earshot why': 1, 'earshot ban --from-room': 4 },
      ...{ 'earshot participants notify "Your': 4, 'earshot participants notify "A rule': 4 },
      'earshot participants notify "Sorry': 4,
    },
    asks: ['earshot participants notify "Please'],
    prepare: [insults, ...people('Ann', 'bob'), session, 'earshot sanctions templates set shouting "You shouted."'],
    placeholders: { SANCTION: first('sanctions list') },
  },
  'docs/operating.md': {
    inputs: {
      'earshotd users create': password,
      'earshotd users reset': password,
      'earshotd tenants create': password,
    },
    addresses: { 'earshot-….db': '$(ls data/backups)' },
  },
  'docs/plugins.md': {
    prepare: [
      session,
      'cp -r "$CLONE/examples/plugin" my-plugin && sed -i s/shouting/my-plugin/ my-plugin/manifest.json',
      'earshot sessions say demo --external-user-id bob --content "GET OUT OF HERE"',
      'timeout 30 earshot events tail --since earliest --json | head -n 3 > evening.jsonl',
    ],
    placeholders: { SESSION: first('sessions list') },
  },
  'docs/receive-webhooks.md': {
    files: { 'receive.mjs': blockWith('docs/receive-webhooks.md', 'js', 'createServer') },
  },
  'docs/reports.md': {
    addresses: { 'https://voice.studio.example': '{url}' },
    prepare: [...people('u_42', 'u_7'), 'PLAYER_TOKEN=$(earshot player-tokens create u_7 --json | jq -r .token)'],
    placeholders: {
      REPORT: first('reports list'),
      CASE: caseOfReport,
      ORDER: first('cases orders list'),
    },
  },
  'docs/rules.md': {
    exits: { 'earshot rules test -f rule.yaml --min-precision': 1 }, // nobody has decided anything yet
    prepare: ['earshot plugins install toxicity', 'cp "$CLONE/examples/rule.yaml" .', 'earshot warn bob --new'],
    placeholders: { SANCTION: first('sanctions list') },
    asks: ['earshot rules undo'],
  },
  'docs/search.md': { prepare: [...people('bob'), session] },
  'docs/webhooks.md': {
    placeholders: { SUBSCRIPTION: first('webhooks list') },
    addresses: { 'https://example.com': '{receiver}' },
  },
};

/** Begin of a command, and why it is not played. */
export const notPlayed: readonly { readonly document: string; readonly command: string; readonly reason: string }[] = [
  ...['voice-service', 'gameplay-service', 'talo'].map((source) => ({
    document: 'docs/import.md',
    command: `earshot import ${source}`,
    reason: 'asks another service; test/cli/import.test.ts has one of each',
  })),
  {
    document: 'docs/emergency.md',
    command: 'earshot sanctions undo --last',
    reason: 'nobody is in the room, so there is no batch; test/moderation has some',
  },
  {
    document: 'README.md',
    command: 'npm ',
    reason: 'test/examples/fresh-clone.test.ts plays `npm start`; suites do not run all suites',
  },
  {
    document: 'docs/operating.md',
    command: 'earshotd copy',
    reason: 'needs PostgreSQL, and leaves another database; test/earshotd/copy.test.ts moves one there and back',
  },
  ...['docker build', 'docker compose up', 'docker compose exec'].map((command) => ({
    document: 'docs/operating.md',
    command,
    reason: 'needs an engine of containers; test/examples/container.test.ts builds and runs it by podman',
  })),
  {
    document: 'docs/operating.md',
    command: 'litestream restore',
    reason: 'needs Litestream; test/peers/backups goes back by it',
  },
  {
    document: 'README.md',
    command: 'earshotd service install',
    reason: 'changes the services of the machine; test/earshotd/service.test.ts has stand-ins for them',
  },
  {
    document: 'README.md',
    command: './bin/earshot.js login ',
    reason: 'asks a person; every page begins with its form for scripts',
  },
  {
    document: 'docs/moderation.md',
    command: 'earshot kick',
    reason: 'nobody is in a room; test/cli has rooms with people',
  },
  {
    document: 'docs/oidc.md',
    command: 'earshot login',
    reason: 'needs a provider and a browser; test/identity has both',
  },
  {
    document: 'docs/operating.md',
    command: 'earshotd restore',
    reason: 'the daemon runs; test/earshotd/backups.test.ts stops it',
  },
  { document: 'docs/operating.md', command: 'journalctl', reason: 'there is no service of systemd' },
  { document: 'docs/performance.md', command: 'npm run bench', reason: 'takes minutes; .ci/run plays the short one' },
  {
    document: 'docs/reports.md',
    command: 'curl -X POST',
    reason: 'the player would have to be in the room; test/reports has one who is',
  },
  {
    document: 'docs/reports.md',
    command: 'earshot reports answer',
    reason: 'somebody else than who decided answers; test/reports/complaints.test.ts has two',
  },
  {
    document: 'docs/reports.md',
    command: 'earshot reports audio',
    reason: 'nobody spoke before the report; test/reports/report-sounds.test.ts has somebody speak',
  },
  {
    document: 'docs/voice.md',
    command: 'earshotd speech',
    reason: 'downloads a recogniser; test/sessions/speech-install plays it',
  },
  { document: 'docs/voice.md', command: 'npm run bench', reason: 'takes minutes, and recordings' },
  {
    document: 'docs/voice.md',
    command: 'EARSHOT_SPEECH_SERVER_KEY',
    reason: 'serves on an address of another machine',
  },
];
