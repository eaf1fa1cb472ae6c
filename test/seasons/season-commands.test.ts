/** A designer's evening with season files, in the words that are typed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { answered } from '../support/answered.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let cli: CommandLine;
beforeAll(async () => {
  daemon = await startDaemon();
  cli = commandLine(() => ({
    EARSHOT_URL: daemon.url,
    EARSHOT_API_KEY: daemon.apiKey,
    EARSHOT_PROJECT: daemon.projectId,
  }));
});
afterAll(async () => {
  cli?.dispose();
  await daemon.stop();
});

const file = (text: string, name = 'season.yaml'): string => {
  const path = join(cli.config, name);
  writeFileSync(path, text);
  return path;
};
const gameplay = (...args: string[]) => cli.run(['gameplay', ...args]);
const kills = (goal: number) => `challenges:
  - key: kills
    name: Kills
    eventName: kill-enemy
    goal: ${goal}
`;

describe('earshot gameplay', () => {
  it('applies the example, exports it as it is, and applies that without a change', async () => {
    const dry = await gameplay('apply', '-f', 'examples/season.yaml', '--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      stderr: '14 to create, 0 to change, 0 to remove. Nothing was applied: a dry run.\n',
    });
    expect(dry.stdout).toContain('+ battlePasses/winter  Winter season\n');
    expect(await gameplay('apply', '-f', 'examples/season.yaml')).toMatchObject({
      ...{ code: 0, stdout: dry.stdout, stderr: '14 created, 0 changed, 0 removed.\n' },
    });
    const exported = await gameplay('export');
    expect(exported.stdout).toContain('  - key: warm-up\n    category: daily\n    name:\n      en: Warm-up\n');
    const again = await gameplay('apply', '-f', file(exported.stdout));
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'There is nothing to change.\n' });
  });

  it('refuses to overwrite what was changed on the daemon, until it is told to', async () => {
    await gameplay('apply', '-f', file(kills(3)), '--prune');
    const [{ id } = { id: '' }] = (await cli.json<{ challenges: { id: string }[] }>(['challenges', 'list'])).challenges;
    await cli.json(['challenges', 'update', id, '--goal', '4']);
    const path = file(kills(10));
    expect(await gameplay('apply', '-f', path, '--dry-run')).toMatchObject({
      ...{
        code: 5,
        stdout:
          '~ challenges/kills  Kills\n    goal: 4 → 10\n    Nobody is in progress. Players who have reached the old goal keep it.\n',
      },
      stderr: expect.stringContaining('Refused without --force'),
    });
    const refused = await gameplay('apply', '-f', path);
    expect(refused).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('  challenges/kills: goal was 3, is 4\n'),
    });
    expect((await gameplay('export')).stderr).toContain('  challenges/kills: goal was 3, is 4\n');
    expect(await gameplay('apply', '-f', path, '--force')).toMatchObject({ code: 0 });
    expect((await gameplay('export')).stdout).toContain('goal: 10\n');
  });

  it('keeps what a file does not list, and says how to remove it', async () => {
    await gameplay('apply', '-f', file(kills(3)), '--prune', '--force');
    const other = file('leaderboards: [{ key: board, name: Board, eventName: kill-enemy }]\n');
    const { stderr } = await gameplay('apply', '-f', other);
    expect(stderr).toBe(
      'Not in the file, and kept; --prune deletes them:\n  categories/default\n  challenges/kills\n1 created, 0 changed, 0 removed.\n',
    );
    const pruned = await gameplay('apply', '-f', other, '--prune');
    expect(pruned.stdout).toContain('- challenges/kills  Kills\n    No player has begun it.\n');
  });

  it('prunes nothing by an empty source, and no progress of players without --yes', async () => {
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Empty' } });
    await gameplay('apply', '-f', file(kills(3)), '--prune', '--force');
    for (const line of [
      ['apply', '-f', file('{}\n'), '--prune', '--yes'],
      ['apply', '-f', file('\n', 'blank.yaml'), '--prune', '--force', '--yes'],
      ['copy', '--project', id, '--to', daemon.projectId, '--prune', '--yes'],
    ])
      expect(await gameplay(...line), line.join(' ')).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringContaining('--allow-empty') },
      });
    await cli.run(['players', 'unlock', 'u_prune', 'Kills']);
    const prune = ['apply', '-f', file('{}\n'), '--prune', '--allow-empty', '--force'];
    expect(await gameplay(...prune)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/challenges\/kills: The progress of 1 player is deleted\.[\s\S]*--yes/),
    });
    expect((await gameplay('export')).stdout).toContain('key: kills');
    expect(await gameplay(...prune, '--yes')).toMatchObject({ code: 0 });
    expect((await gameplay('export')).stdout).toBe('{}\n');
  });

  it('restores what was deleted, by the id that the deletion names', async () => {
    await gameplay('apply', '-f', file(kills(3)), '--prune', '--force');
    const before = (await gameplay('export')).stdout;
    const gone = await gameplay('apply', '-f', file('{}\n'), '--prune', '--allow-empty', '--force', '--yes');
    const [, deletion = ''] = /earshot gameplay undo-delete (\S+)/.exec(gone.stderr) ?? [];
    expect((await gameplay('deletions')).stdout).toContain(deletion);
    expect(await gameplay('undo-delete', deletion)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Kills'),
    });
    expect((await gameplay('export')).stdout).toBe(before);
    const deleted = await cli.run(['challenges', 'delete', 'Kills', '--yes']);
    const [, object = ''] = /earshot gameplay undo-delete (\S+)/.exec(deleted.stderr) ?? [];
    expect(await gameplay('undo-delete', object)).toMatchObject({ code: 0 });
    expect((await gameplay('export')).stdout).toBe(before);
    expect(await gameplay('undo-delete', object)).toMatchObject({ code: 4 });
  });

  it('asks on a terminal before it deletes progress', async () => {
    await gameplay('apply', '-f', file(kills(3)), '--prune', '--force');
    await cli.run(['players', 'unlock', 'u_prune', 'Kills']);
    const prune = ['gameplay', 'apply', '-f', file('{}\n'), '--prune', '--allow-empty', '--force'];
    const exported = async () => (await gameplay('export')).stdout;
    for (const [keys, code, left] of [
      ['y\r', 2, expect.stringContaining('key: kills')],
      ['prune\u0003', 130, expect.stringContaining('key: kills')],
      ['prune\r', 0, '{}\n'],
    ] as const) {
      const ended = await answered(cli, prune, 'Type prune to continue', keys);
      expect(ended).toMatchObject({ code, screen: expect.stringContaining('The progress of 1 player is deleted.') });
      expect(await exported()).toEqual(left);
    }
  });

  it.each([
    [
      'what is no season',
      'challenges:\n  - key: kills\n    gaol: 3\n',
      2,
      ':3:5 challenges.kills.gaol: there is no such field',
    ],
    [
      'what the daemon does not take',
      'categories: []\nleaderboards:\n  - key: a\n    name: A\n    eventName: kill-enemy\n    countProperty: laps\n',
      5,
      ':6:5 leaderboards.a.countProperty: is not a number property of kill-enemy',
    ],
  ])('names line and field of %s', async (_, text, code, message) => {
    const path = file(text);
    expect(await gameplay('apply', '-f', path)).toMatchObject({
      ...{ code, stdout: '', stderr: expect.stringContaining(`${path}${message}`) },
    });
  });

  it('copies a season to another project', async () => {
    await gameplay('apply', '-f', 'examples/season.yaml', '--prune', '--force');
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Live' } });
    expect(await gameplay('copy', '--to', id, '--dry-run')).toMatchObject({ code: 0 });
    expect((await gameplay('export', '--project', id)).stdout).toBe('{}\n');
    expect(await gameplay('copy', '--to', id)).toMatchObject({
      code: 0,
      stderr: '14 created, 0 changed, 0 removed.\n',
    });
    expect((await gameplay('export', '--project', id)).stdout).toBe((await gameplay('export')).stdout);
    expect(await gameplay('copy', '--to', id)).toMatchObject({ code: 0, stdout: '' });
  });

  it('writes a file with --output, and the answer itself with --json', async () => {
    const path = join(cli.config, 'out.yaml');
    expect(await gameplay('export', '--output', path)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(path, 'utf8')).toBe((await gameplay('export')).stdout);
    expect(await cli.json(['gameplay', 'export'])).toMatchObject({ season: { categories: expect.any(Array) } });
    expect(await cli.json(['gameplay', 'apply', '-f', path])).toMatchObject({ applied: true, changes: [] });
  });

  it('colours a plan on a terminal', async () => {
    await gameplay('apply', '-f', file(kills(3)), '--force');
    const options = { isTerminal: true };
    const { stdout } = await cli.run(['gameplay', 'apply', '-f', file(kills(5)), '--dry-run'], options);
    expect(stdout).toContain(
      '\u001b[33m~ challenges/kills  Kills\u001b[39m\n    goal: \u001b[31m3\u001b[39m → \u001b[32m5\u001b[39m\n',
    );
  });

  it('reads a file from standard input', async () => {
    const { code, stdout } = await cli.run(['gameplay', 'apply', '-f', '-', '--dry-run'], { input: kills(7) });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('goal: 3 → 7') });
  });
});

describe('examples/season.schema.json', () => {
  it('is what `earshot gameplay schema` prints', async () => {
    expect((await gameplay('schema')).stdout).toBe(readFileSync('examples/season.schema.json', 'utf8'));
  });
});
