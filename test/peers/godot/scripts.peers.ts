/** The scripts of the kit, as parsers and linters of both GDScripts read them, and what the two forms must have in common. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blockWith } from '../../examples/documents/commands.js';

const kit = fileURLToPath(new URL('../../../kits/godot/', import.meta.url));
const installed = fileURLToPath(new URL('./.installed/', import.meta.url));
const all = readdirSync(kit, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.gd'))
  .sort();
const forBoth = /^addons\/earshot\/(shared\/\w+|\w+_client)\.gd$/;
/** Paths of the scripts that there are in two forms. */
const forOne = all.filter((path) => !path.startsWith('godot3/') && !forBoth.test(path));
const forms = {
  3: all.filter((path) => path.startsWith('godot3/') || forBoth.test(path)),
  4: all.filter((path) => !path.startsWith('godot3/')),
};

describe.each([3, 4] as const)('GDScript of Godot %i', (version) => {
  it.each(['gdparse', 'gdlint'])(
    '%s takes every script',
    (tool) => {
      const program = join(installed, `gdtoolkit${version}/bin/${tool}`);
      const { status, stdout, stderr } = spawnSync(program, forms[version], { cwd: kit, encoding: 'utf8' });
      expect({ status, found: `${stdout}${stderr}`.split('\n').filter((line) => /error/i.test(line)) }).toEqual({
        status: 0,
        found: [],
      });
    },
    120_000,
  );

  it('gdparse is no stand-in: it refuses the other one', () => {
    const program = join(installed, `gdtoolkit${version}/bin/gdparse`);
    const other = version === 3 ? 'addons/earshot/plugin.gd' : 'godot3/addons/earshot/plugin.gd';
    expect(() => execFileSync(program, [other], { cwd: kit, stdio: 'pipe' })).toThrow();
  });
});

it('gdparse takes the script of docs/in-my-game.md', () => {
  const input = blockWith('docs/in-my-game.md', 'gdscript', 'on_report');
  const program = join(installed, 'gdtoolkit4/bin/gdparse');
  const { status, stdout, stderr } = spawnSync(program, ['-'], { input, encoding: 'utf8' });
  expect({ status, said: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
  const called = [...input.matchAll(/\bEarshot\.(\w+)\(/g)].map(([, name]) => name);
  const known = ['addons/earshot/shared/client.gd', 'addons/earshot/player_client.gd'].flatMap(functions);
  expect(called.filter((name) => !known.some((one) => one.startsWith(`${name}(`)))).toEqual([]);
  expect(called).toContain('report_as_player');
});

const functions = (path: string): string[] =>
  [...readFileSync(join(kit, path), 'utf8').matchAll(/^(?:static )?func (\w+)\(([^)]*)\)/gm)].map(
    ([, name = '', parameters = '']) => `${name}(${parameters.replaceAll(/\w+ByteArray/g, 'bytes')})`,
  );

it.each(forOne.filter((path) => path.includes('/engine/')))('%s has the same functions for both engines', (path) => {
  expect(functions(`godot3/${path}`)).toEqual(functions(path));
  expect(functions(path)).not.toEqual([]);
});

it('nothing but the folder engine, the plugin and the samples differs', () => {
  expect(forOne).toEqual(forOne.filter((path) => /^(addons\/earshot\/(engine\/|plugin)|samples\/)/.test(path)));
  expect(all.filter((path) => path.startsWith('godot3/'))).toEqual(forOne.map((path) => `godot3/${path}`));
});
