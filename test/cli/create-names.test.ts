/** Commands that create something: its name is the first argument, and a flag does the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
const cli = commandLine(() => ({
  EARSHOT_URL: daemon.url,
  EARSHOT_API_KEY: daemon.apiKey,
  EARSHOT_PROJECT: daemon.projectId,
}));
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

const counted = () => ['--event-name', 'kill-enemy'];
const nothing = () => [];
type More = (suffix: string) => readonly string[];
const commands: readonly (readonly [command: string, name: string, flag: string, more: More])[] = [
  ['challenges create', 'Three down', '--name', () => [...counted(), '--goal', '3']],
  ['challenge-categories create', 'Daily', '--name', (suffix) => ['--slug', `daily-${suffix}`]],
  ['leaderboards create', 'Kills', '--name', counted],
  ['battle-passes create', 'Season', '--name', nothing],
  ['gatherings create', 'Friday raid', '--name', nothing],
  ['sessions create', 'Evening', '--title', (suffix) => ['--room', `hall-${suffix}`, '--no-auto-start']],
  ['participants create', 'u_42', '--user', nothing],
  ['webhooks create', 'http://127.0.0.1:9/hook', '--to', () => ['--events', 'message.*']],
];

describe('a command that creates something', () => {
  it.each(commands)('%s takes the name first, or as a flag, and not both', async (command, name, flag, more) => {
    const words = command.split(' ');
    const first = await cli.run([...words, name, ...more('a'), '--json']);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain(JSON.stringify(name));
    expect(await cli.run([...words, flag, name, ...more('b'), '--json'])).toMatchObject({ code: 0 });
    expect(await cli.run([...words, ...more('c')])).toMatchObject({ code: 2 });
    expect(await cli.run([...words, name, flag, name, ...more('d')])).toMatchObject({ code: 2 });
  });

  it('puts a challenge into a level of a battle pass by the name of the pass', async () => {
    expect((await cli.run(['battle-passes', 'create', 'Winter'])).code).toBe(0);
    const level = ['battle-passes', 'levels', 'create', 'Winter', '--position', '2', '--reward-type', 'coin'];
    expect(await cli.run([...level, '--reward-amount', '5'])).toMatchObject({ code: 0 });
    const create = ['challenges', 'create', 'Snow', ...counted(), '--goal', '3', '--level'];
    expect(await cli.run([...create, 'Winter/2'])).toMatchObject({ code: 0 });
    const levels = await cli.run(['battle-passes', 'levels', 'list', 'Winter', '--json']);
    expect(JSON.parse(levels.stdout).levels[0].challenges).toMatchObject([{ name: { en: 'Snow' } }]);
    expect(await cli.run([...create, 'Winter/3'])).toMatchObject({
      code: 4,
      stderr: 'There is no level Winter/3. Did you mean Winter/2?\n',
    });
    expect(await cli.run([...create, 'Winter'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('`earshot battle-passes levels list`'),
    });
    const foreign = await cli.run([...create, 'Winter/2', '--repeatable']);
    expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('--repeatable') });
    // Every command about a level takes it so.
    const added = ['battle-passes', 'challenges', 'create', 'Winter/2', 'Ice', ...counted(), '--goal', '3'];
    expect(await cli.run(added)).toMatchObject({ code: 0 });
    expect((await cli.run(['battle-passes', 'unlock', 'u7', 'winter'])).code).toBe(0);
    expect(await cli.run(['battle-passes', 'activate', 'u7', 'winter/2'])).toMatchObject({ code: 0 });
  });
});
