/** Commands of gameplay on a terminal of 80 columns and 24 lines: what people read there, names in place of ids, no line too long. */
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));
const width = 80;
const long = 'a name that is far longer than what a column of a table has room for';

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const env = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey, EARSHOT_MQTT_URL: daemon.mqttUrl });
const send = (userId: string, amount: number) =>
  daemon.admin.call(playerRoutes.sendEvent, {
    params: { projectId: daemon.projectId, userId },
    body: { event_name: 'kill-enemy', meta_data: { amount } },
  });

beforeAll(async () => {
  daemon = await startDaemon();
  const kill = { eventName: 'kill-enemy', counting: 'total', goal: 5 } as const;
  const params = { projectId: daemon.projectId };
  await daemon.admin.call(seasonRoutes.apply, {
    params,
    body: {
      season: {
        challenges: [
          { key: 'five', name: 'Five down', ...kill, autoActivated: true },
          { key: 'long', name: long, ...kill },
        ],
        battlePasses: [
          {
            key: 'winter',
            name: 'Winter season',
            description: long,
            levels: [
              {
                key: 'one',
                rewardType: 'coin',
                rewardAmount: '100',
                challenges: [{ key: 'a', name: 'Ten down', ...kill }],
              },
              { key: 'two', challenges: [{ key: 'b', name: long, ...kill }] },
            ],
          },
        ],
        leaderboards: [
          { key: 'kills', name: 'Kills', eventName: 'kill-enemy', resetPeriod: { range: 'w' } },
          { key: 'long', name: long, eventName: 'earn-points' },
        ],
      },
    },
  });
  for (const [userId, amount] of [
    ['ann', 3],
    ['ben', 2],
    ['somebody-with-a-rather-long-id-of-the-game', 1],
  ] as const)
    await send(userId, amount);
  await cli.run(['battle-passes', 'unlock', 'ann', 'Winter season']);
  const { levels } = await cli.json<{ levels: { id: string }[] }>(['battle-passes', 'levels', 'list', 'Winter season']);
  await cli.run(['battle-passes', 'activate', 'ann', levels[0]?.id ?? '']);
  await cli.run(['players', 'unlock', 'ann', 'Five down']);
  await cli.run(['players', 'activate', 'ann', 'Five down']);
  await send('ann', 2);
}, 60_000);
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

/** The lines that a command leaves on the terminal. */
async function screenOf(command: string): Promise<string[]> {
  const terminal = onTerminal(`stty cols ${width} rows 24; ${process.execPath} ${program} ${command}`, {
    ...env(),
    PAGER: '',
  });
  expect(await terminal.ended).toBe(0);
  return stripVTControlCharacters(terminal.shown).split('\r\n');
}
const tooLong = (lines: readonly string[]) => lines.filter((line) => line.length > width);

describe.skipIf(!hasTerminal)(`on a terminal of ${width} columns`, () => {
  it.each([
    'battle-passes list',
    'battle-passes levels list "Winter season"',
    'challenges list',
    'leaderboards list',
    'leaderboards get Kills',
    'leaderboards show Kills',
    'leaderboards periods Kills',
    'leaderboards member Kills ann --around 5',
    'leaderboards topic Kills',
    'players get ann',
    'players topic ann',
    'game-events catalogue',
  ])('`%s` fits', async (command) => {
    const lines = await screenOf(command);
    expect(lines.join('').trim()).not.toBe('');
    expect(tooLong(lines)).toEqual([]);
  });

  it('`leaderboards show` draws bars', async () => {
    const lines = await screenOf('leaderboards show Kills');
    expect(lines).toContainEqual(expect.stringMatching(/^\s*1\s+ann\s+.*█/));
  });

  it('`players get` names challenges, passes and boards', async () => {
    const text = (await screenOf('players get ann')).join('\n');
    expect(text).toMatch(/^Five down +in-progress +2 +5/m);
    expect(text).toMatch(/^Battle pass Winter season$/m);
    expect(text).toMatch(/^1 +activated +Ten down: 2 of 5$/m);
    expect(text).toMatch(/^Kills +1 +3 +5/m);
  });

  it('`leaderboards watch` shows a change while it runs', async () => {
    const terminal = onTerminal(
      `stty cols ${width} rows 24; ${process.execPath} ${program} leaderboards watch Kills`,
      env(),
    );
    await terminal.answer('ben', '');
    await send('ben', 40);
    await terminal.answer('42', '\u0003');
    await terminal.ended;
    expect(tooLong(stripVTControlCharacters(terminal.shown).split(/[\r\n]+/))).toEqual([]);
  });
});
