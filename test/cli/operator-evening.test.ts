/**
 * What an operator does of an evening, each in one command as it is typed, without an id. What needs more than that stands
 * at the end, with where it is shown or why it is missing.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let daemon: TestDaemon;
let receiver: Receiver;
let bans: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url }));

beforeAll(async () => {
  receiver = await startReceiver();
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
  const prepared = async (line: string, input = '') => {
    const { code, stderr } = await cli.run(words(line), { input });
    if (code !== 0) throw new Error(`${line}: ${stderr}`);
  };
  await prepared(`login --email ${administrator.email} --password-stdin`, administrator.password);
  await prepared('participants create --user u1 --name Bob');
  await prepared('participants create --user u2 --name Ann');
  await prepared('sessions create --title Evening --room demo --no-auto-start');
  await prepared('sessions say demo --user u1 --content "You will regret this."');
  await prepared('warn bob --reason "threats"');
  await prepared('ban ann 2h --reason "spam"');
  await prepared('sanctions appeal ann "I was only singing."');
  await prepared('gatherings create --name "Friday raid"');
  await prepared(`webhooks create --to ${receiver.url} --events "sanction.*" --description bridge`);
  await prepared('projects create Live');
  const good = '{"type":"temp_ban","externalUserId":"raider","duration":"7d"}';
  bans = join(daemon.dataDir, 'bans.ndjson');
  writeFileSync(bans, `${good}\n{"type":"ban","externalUserId":"other"}\n{"type":"mute"}\nnonsense\n`);
  await prepared('sanctions apply --file - --batch raid --project default', good);
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
});

/** As a shell splits a line. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
const evening = { env: { EARSHOT_PROJECT: 'default' } };

/** The task, what is typed, what has to be on the screen (stdout and stderr), and the exit code where it is not 0. */
const tasks: readonly (readonly [task: string, typed: () => string, says: readonly RegExp[], code?: number])[] = [
  ['1 who talked in a room yesterday', () => 'sessions messages demo --since yesterday', [/Bob.*You will regret/]],
  [
    '2 ban for two hours, and why last time',
    () => 'ban bob 2h',
    [/temp_ban/, /last was warn.*threats.*by admin@localhost/, /To undo: earshot sanctions revoke/],
  ],
  [
    '3 take the last bulk change back',
    () => 'sanctions undo --last --yes',
    [/batch raid, by admin@localhost/, /batchId +raid/, /revoked +1/],
  ],
  ["4 rotate a webhook's secret", () => 'webhooks rotate-secret bridge --yes', [/Secret, shown this once/]],
  ['5 why there is no transcript', () => 'why demo', [/session Evening \(room demo\)/, /Nobody is in the room/], 1],
  ["6 send yesterday's webhooks again", () => 'webhooks replay bridge --since yesterday', [/queued +[1-9]/]],
  ['7 give a colleague read-only access', () => 'users invite --email ann@example.com --role viewer', [/role +viewer/]],
  [
    '8 a key: one project, one scope',
    () => 'api-keys create --name game --scopes gameplay --project default',
    [/shown this once/],
  ],
  ['9 everything about somebody', () => 'who bob', [/Bob \(u1\)/, /temp_ban/, /threats/, /You will regret/]],
  ['10 who is in the room', () => 'rooms list', [/Nothing to show/]],
  ['12 which moderator did this', () => 'sanctions list --user bob', [/BY/, /admin@localhost/]],
  ['14 take a key back by its name', () => 'api-keys revoke game --yes', [/deleted +true/]],
  ['16 what waits for review, oldest first', () => 'reviews next', [/kind +appeal/, /only singing/, /spam/]],
  ['16 and decide it', () => 'reviews overturn ann', [/overturned/]],
  ['17 mute in this room only', () => 'mute bob --room demo', [/mute/, /Also in force: temp_ban/]],
  [
    '18 bans as CSV',
    () => 'sanctions list --type temp_ban --since "last month" --all --csv',
    [/^externalUserId,type/, /u1,temp_ban/],
  ],
  [
    '19 import, and which lines are wrong',
    () => `sanctions apply --file ${bans}`,
    [/2 +type/, /4 +.*JSON/, /Nothing was issued/],
    2,
  ],
  ['20 what a key did today', () => 'audit list --actor game --since today', []],
  ['21 is everything healthy, and what is not', () => 'doctor', [/daemon +true/, /Live has none/], 1],
  ['22 which webhook fails and why', () => 'why bridge', [/webhook http/]],
  ['23 copy settings', () => 'settings copy --to Live', [/copied|Nothing to show/]],
  ['24 who is banned now', () => 'sanctions list --type temp_ban --active-only', [/u1/]],
  ['24 and free again tonight', () => 'sanctions list --type temp_ban --ends-before tomorrow', [/u1|Nothing to show/]],
  [
    "25 move a person's history to a new account id",
    () => 'participants move bob steam_77 --yes',
    [/u1 -> steam_77/, /sanctions/, /To undo: earshot participants move steam_77 u1/],
  ],
];

describe('an evening', () => {
  it.each(tasks.map((task) => ({ name: task[0], task })))('$name', async ({ task: [, typed, says, code = 0] }) => {
    const { stdout, stderr, ...ended } = await cli.run(words(typed()), evening);
    expect({ ...ended, stderr }).toEqual({ code, stderr });
    for (const part of says) expect(`${stdout}${stderr}`).toMatch(part);
  });

  it('needs no id', () => {
    for (const [, typed] of tasks) expect(typed()).not.toMatch(/[\da-f]{8}-[\da-f]{4}/);
  });
});

/** Tasks that are not one command in this file, each with the suite that shows it, or with what is missing. */
const elsewhere: Readonly<Record<string, string>> = {
  '10 throw somebody out of a room': 'test/endtoend',
  '11 hear what goes on in a room': 'test/cli/rooms.test.ts',
  '13 watch a gathering fill': 'test/gatherings/view.test.ts',
};

it.each(Object.entries(elsewhere).filter(([, place]) => !place.startsWith('missing')))(
  '%s is shown by %s',
  (_, place) => {
    expect(existsSync(join(root, place))).toBe(true);
  },
);
