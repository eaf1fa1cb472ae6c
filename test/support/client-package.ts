/** The package earshot-client, as npm would publish and install it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const Packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));
const maker = fileURLToPath(new URL('../../bin/typescript-kit.mjs', import.meta.url));

/** Makes the package, packs it, and unpacks it into node_modules of the folder. Returns the paths of its files. */
export function installClient(folder: string): readonly string[] {
  const made = join(folder, 'made');
  const installed = join(folder, 'node_modules/earshot-client');
  execFileSync(process.execPath, [maker, made]);
  const told = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], { cwd: made });
  const [packed] = Packed.parse(JSON.parse(told.toString('utf8')));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed?.filename ?? ''), '-C', installed, '--strip-components=1']);
  return packed?.files.map(({ path }) => path) ?? [];
}
