/**
 * An operator's evening, each task in one command as it is typed, without an id. Views that are watched until they
 * end stand at the end.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { programEnvironment } from '../support/program-environment.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { answering, roomToken } from '../support/room-client.js';
import { Speaker } from '../support/room-peers.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));

let daemon: TestDaemon;
let receiver: Receiver;
let bans: string;
let bob: Speaker;
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
  // The bot's history until now is a part of why there is no transcript.
  await prepared('sessions stop demo');
  await prepared('sessions start demo');
  await prepared('warn bob --reason "threats"');
  // Imposed by the game's key: whoever imposes a sanction does not decide the appeal.
  await daemon.client.call(sanctionRoutes.create, {
    params: { projectId: daemon.projectId },
    body: { type: 'temp_ban', externalUserId: 'u2', duration: 7200, reason: 'spam' },
  });
  await prepared('sanctions appeal ann "I was only singing."');
  await prepared('gatherings create --name "Friday raid"');
  await prepared(`webhooks create --to ${receiver.url} --events "sanction.*" --description bridge`);
  await prepared('projects create Live');
  const token = await roomToken(daemon.client, daemon.projectId, 'demo', 'u1');
  bob = new Speaker('bob');
  await bob.join(answering(daemon.url, 'whip', 'demo', token));
  const good = '{"type":"temp_ban","externalUserId":"raider","duration":"7d"}';
  bans = join(daemon.dataDir, 'bans.ndjson');
  writeFileSync(bans, `${good}\n{"type":"bann","externalUserId":"other"}\n{"type":"mute"}\nnonsense\n`);
  await prepared('sanctions apply --file - --batch raid --project default', good);
});
afterAll(async () => {
  bob.close();
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
});

/** Splits a line as a shell does. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
const evening = { env: { EARSHOT_PROJECT: 'default' } };

/** The task, what is typed, what has to be on the screen (stdout and stderr), and the exit code where it is not 0. */
const tasks: readonly (readonly [task: string, typed: () => string, says: readonly RegExp[], code?: number])[] = [
  ['10 who is in the room', () => 'rooms list', [/demo +Bob +is quiet +u1/]],
  ['10 and throw somebody out', () => 'kick bob', [/Bob \(u1\) was removed from demo/]],
  ['1 who talked in a room yesterday', () => 'transcript demo --since yesterday', [/Bob.*You will regret/]],
  [
    '2 ban for two hours, and why last time',
    () => 'ban bob 2h',
    [/temp_ban/, /last was warn.*threats.*by admin@localhost/, /To undo: earshot sanctions undo/],
  ],
  [
    '3 take the last bulk change back',
    () => 'sanctions undo --last --yes',
    [/batch raid, by admin@localhost/, /batchId +raid/, /revoked +1/],
  ],
  ["4 rotate a webhook's secret", () => 'webhooks rotate bridge --yes', [/Secret, shown only once/]],
  [
    '5 why there is no transcript',
    () => 'why demo',
    [/session Evening \(room demo\)/, /Nobody is in the room/, /Before\n- .*stopped the bot/],
    1,
  ],
  ["6 send yesterday's webhooks again", () => 'webhooks replay bridge --since yesterday', [/queued +[1-9]/]],
  ['7 give a colleague read-only access', () => 'users add ann@example.com --role viewer', [/role +viewer/]],
  [
    '8 a key: one project, one scope',
    () => 'api-keys create game --scopes gameplay --project default',
    [/shown only once/, /project +default/],
  ],
  ['9 everything about somebody', () => 'who bob', [/Bob \(u1\)/, /temp_ban/, /threats/, /You will regret/]],
  ['9 and in the order of time', () => 'participants history bob', [/sanction +warn by admin@localhost: threats/]],
  ['12 which moderator did this', () => 'sanctions list --user bob', [/BY/, /admin@localhost/]],
  ['14 take a key back by its name', () => 'api-keys revoke game --yes', [/deleted +true/]],
  ['15 where a word was said', () => 'search regret', [/Bob.*regret/]],
  ['15 in several words', () => 'search you regret', [/Bob.*regret/]],
  ['16 what waits for review, oldest first', () => 'reviews next', [/kind +appeal/, /only singing/, /spam/]],
  ['16 and decide it', () => 'reviews overturn ann --answer "You were."', [/overturned/]],
  [
    '17 mute in this room only',
    () => 'mute bob --room demo',
    [/mute/, /endAt +until the session ends/, /Also in force: temp_ban/],
  ],
  [
    '18 bans as CSV',
    () => 'sanctions list --type ban --since "last month" --all --csv',
    [/^externalUserId,type/, /u1,temp_ban/],
  ],
  [
    '19 import, and which lines are wrong',
    () => `sanctions import ${bans}`,
    [/2 +type/, /4 +.*JSON/, /Nothing was issued/],
    2,
  ],
  ['20 what a key did today', () => 'audit list --actor game --since today', [/Nothing to show/]],
  ['21 is everything healthy, and what is not', () => 'doctor', [/daemon +true/, /Live has none/, /webhooks +true/], 1],
  ['22 which webhook fails and why', () => 'why bridge', [/webhook http/]],
  ['23 copy settings', () => 'settings copy --from default --to Live', [/copied|Nothing to show/]],
  ['23 in fewer words', () => 'settings copy default Live', [/copied|Nothing to show/]],
  ['23 with one of the two', () => 'settings copy Live', [/settings copy Staging Live/], 2],
  ['24 who is banned now', () => 'sanctions list --type ban --active', [/u1/]],
  ['24 in fewer words', () => 'sanctions active', [/Bob \(u1\) +temp_ban/]],
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

/** A program of its own, which others act beside. */
const started = (line: string) =>
  spawn(process.execPath, [program, ...words(line)], {
    env: { ...programEnvironment, XDG_CONFIG_HOME: cli.config, EARSHOT_URL: daemon.url, EARSHOT_PROJECT: 'default' },
  });

// At its end a listener gives up all sound of its process, so it is not one with the people in the room.
it('11 hear what goes on in a room', async () => {
  expect(await text(started('rooms listen demo --for 1s').stdout)).toMatch(/"type":"room.state".*"observer":true/);
});

it('13 watch a gathering fill, until it is over', async () => {
  const child = started('gatherings watch "Friday raid"');
  const printed = text(child.stdout);
  await new Promise((resolve) => child.stderr.once('data', resolve)); // it watches
  for (const line of ['gatherings add "Friday raid" ann', 'gatherings end "Friday raid"'])
    expect(await cli.run(words(line), evening)).toMatchObject({ code: 0 });
  expect(await printed).toMatch(/gathering\.member\.joined[\s\S]*gathering\.ended/);
});
