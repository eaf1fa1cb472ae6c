/** What Unity compiles of kits/csharp, compiled by Mono against stand-ins for Unity's own API. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockWith } from '../../examples/documents/commands.js';
import { Compiled, hasMono, kit, sourcesIn } from './driver.js';

const stand = fileURLToPath(new URL('UnityEngine.cs', import.meta.url));

describe.skipIf(!hasMono)('the kit for Unity', { timeout: 60_000 }, () => {
  let compiled: Compiled;
  beforeAll(() => {
    compiled = new Compiled();
    compiled.compile('UnityEngine.dll', [stand], ['-target:library']);
    compiled.compile('Earshot.Unity.dll', sourcesIn(`${kit}Unity`), ['-target:library', '-r:UnityEngine.dll']);
  }, 60_000);
  afterAll(() => compiled?.remove());

  const { samples } = JSON.parse(readFileSync(`${kit}package.json`, 'utf8')) as { samples: { path: string }[] };
  it.each(samples.map(({ path }) => path))('compiles %s', (path) => {
    const references = ['-target:library', '-r:UnityEngine.dll', '-r:Earshot.Unity.dll'];
    compiled.compile(`${path.replaceAll('/', '.')}.dll`, sourcesIn(kit + path), references);
  });

  it('compiles the script of docs/in-my-game.md', () => {
    const script = blockWith('docs/in-my-game.md', 'csharp', 'OnReport');
    const server = `static class MyServer { public static System.Threading.Tasks.Task<string> PlayerTokenAsync(
      System.Threading.CancellationToken cancel) { return System.Threading.Tasks.Task.FromResult(""); } }`;
    const file = join(compiled.folder, 'InMyGame.cs');
    writeFileSync(file, script + server);
    compiled.compile('InMyGame.dll', [file], ['-target:library', '-r:UnityEngine.dll', '-r:Earshot.Unity.dll']);
  });

  it('names every sample in its package.json', () => {
    const folders = readdirSync(`${kit}Samples~`).map((name) => `Samples~/${name}`);
    expect(samples.map(({ path }) => path).sort()).toEqual(folders.sort());
  });
});
