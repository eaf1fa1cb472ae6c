/** What has no way back: asks for the name of what will be gone, and in a script needs --yes. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const rule =
  'name: Newts\ndefinition:\n  format: 1\n  mode: dry-run\n  when:\n    all:\n      - words: { any: [newt] }\n  steps:\n    - - sanction: { type: mute, duration: 60 }\n';
let daemon: TestDaemon;
const environment = () => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey });
const cli = commandLine(environment);
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
const done = async (line: string, input = '') => {
  const ended = await cli.run(words(line), { input });
  expect({ line, ...ended }).toMatchObject({ code: 0 });
};
beforeAll(async () => {
  daemon = await startDaemon();
  await done('challenge-categories create --name Daily --slug daily');
  await done('challenges create --name "Three down" --event-name kill-enemy --goal 3');
  await done('players unlock u_42 "Three down"');
  await done('battle-passes create --name Winter');
  await done('battle-passes unlock u_42 Winter');
  await done('leaderboards create --name Kills --event-name kill-enemy');
  await done('game-events send kill-enemy --user u_42 --amount 1');
  await done('gatherings create --name "Friday raid"');
  await done('instances create sentiment');
  await done('rules create -f -', rule);
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

/** In an order in which each still finds what it acts on; what reads it, before and after. */
const acts: readonly (readonly [act: string, gone: string, read: string, isGone: boolean])[] = [
  ['players reset u_42 "Three down"', 'what u_42 did for the challenge Three down', 'players get u_42', false],
  ['battle-passes reset u_42 Winter', 'what u_42 did in the battle pass Winter', 'players get u_42', false],
  ['settings revoke-secret', 'the project secret', 'settings get', false],
  ['settings delete', 'the settings of the project', 'settings get', true],
  ['leaderboards remove-member Kills u_42', 'u_42 with the score', 'leaderboards show Kills', false],
  ['leaderboards reset Kills', 'the present period of the leaderboard Kills', 'leaderboards periods Kills', false],
  ['challenges delete "Three down"', 'the challenge Three down', 'challenges get "Three down"', true],
  ['challenge-categories delete Daily', 'the category Daily', 'challenge-categories get Daily', true],
  ['battle-passes delete Winter', 'the battle pass Winter', 'battle-passes get Winter', true],
  ['leaderboards delete Kills', 'the leaderboard Kills', 'leaderboards get Kills', true],
  ['gatherings cancel "Friday raid"', 'the gathering Friday raid', 'gatherings get "Friday raid"', false],
  ['instances delete sentiment', 'the plugin sentiment', 'instances get sentiment', true],
  ['rules remove Newts', 'the rule Newts', 'rules get Newts', true],
];

describe('what has no way back', () => {
  it.each(acts)('%s needs --yes in a script', async (act, gone, read, isGone) => {
    const shown = async () => {
      const { code, stdout } = await cli.run([...words(read), '--json']);
      return { code, stdout };
    };
    const before = await shown();
    expect(before.code).toBe(0);
    const refused = await cli.run(words(act));
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(gone) });
    expect(refused.stderr).toContain('add --yes');
    expect(await shown()).toEqual(before);
    await done(`${act} --yes`);
    const after = await shown();
    expect(after).not.toEqual(before);
    expect(after.code === 0).toBe(!isGone);
  });

  it.skipIf(!hasTerminal)('asks for the name on a terminal, and does nothing for another', async () => {
    await done('leaderboards create --name "Second board" --event-name kill-enemy');
    const remove = () =>
      onTerminal(`'${process.execPath}' '${program}' leaderboards delete "second board"`, {
        ...{ ...environment(), XDG_CONFIG_HOME: cli.config },
      });
    const wrong = remove();
    await wrong.answer('removes the leaderboard Second board', 'yes\r');
    expect(await wrong.ended).toBe(2);
    await done('leaderboards get "Second board"');
    const right = remove();
    await right.answer('removes the leaderboard Second board', 'Second board\r');
    expect(await right.ended).toBe(0);
    expect((await cli.run(words('leaderboards get "Second board"'))).code).toBe(4);
  });
});
