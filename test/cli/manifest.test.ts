/// <reference types="vite/types/importMeta.d.ts" />
/** The built manifest, from which a command starts without the others being loaded. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { z } from 'zod';

const manifest = z.object({ commands: z.record(z.string(), z.looseObject({ isESM: z.literal(false) })) });

it('names every command', () => {
  const file = createRequire(import.meta.url).resolve('../../oclif.manifest.json');
  const named = Object.keys(manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).commands);
  const written = Object.keys(import.meta.glob('../../commands/**/*.ts')).map((path) =>
    path.replace('../../commands/', '').replace('.ts', '').replaceAll('/', ':'),
  );
  const ofPlugins = ['help'];
  expect(named.sort()).toEqual([...written, ...ofPlugins].sort());
});
