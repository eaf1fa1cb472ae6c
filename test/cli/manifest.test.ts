/** The built manifest, from which a command starts without the others being loaded. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { commandLine } from '../support/cli.js';
import { allCommands } from '../support/commands.js';

const require = createRequire(import.meta.url);
const Manifest = z.object({
  version: z.string(),
  commands: z.record(z.string(), z.looseObject({ isESM: z.literal(false) })),
});
const { commands } = Manifest.parse(JSON.parse(readFileSync(require.resolve('../../oclif.manifest.json'), 'utf8')));

it('names every command', async () => {
  const written = (await allCommands()).map(({ id }) => id.join(':'));
  const ofPlugins = ['help'];
  expect(Object.keys(commands).sort()).toEqual([...written, ...ofPlugins].sort());
});

it('is what the program answers from', async () => {
  const cli = commandLine();
  const words = ['sessions', 'list', 'of', 'today'];
  const { status, stderr } = spawnSync(process.execPath, [require.resolve('../../bin/earshot.js'), ...words], {
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: cli.config },
    encoding: 'utf8',
  });
  expect({ code: status, stdout: '', stderr }).toEqual(await cli.run(words));
  expect(stderr).toContain('`earshot sessions list` does not accept "of"');
  cli.dispose();
});
