/** The program `earshotd`: its bundle, with what V8 compiled of it the last time. */
import { join } from 'node:path';
import { versionIn } from '../src/names/version.js';
import { loadBundle } from '../src/start/compiled-bundle.js';
import { requirements } from '../src/start/machine.js';
import type * as Main from './main.js';
import { plainQueryCompiler } from './platform/database/query-compiler.js';
import { collectOldObjectsSooner } from './platform/lifecycle/old-space.js';

/** @param root folder of the package */
export function start(argv: readonly string[], root: string): void {
  if (argv.length === 3 && argv[2] === '--version') process.stdout.write(`${versionIn(root)}\n${requirements}\n`);
  else run(argv, root);
}

function run(argv: readonly string[], root: string): void {
  const use = /^[a-z]+$/.exec(argv[2] ?? '')?.[0] ?? 'help';
  // Before V8 looks at compiled code, which holds for the same flags alone.
  plainQueryCompiler();
  collectOldObjectsSooner();
  const bundle = { folder: join(root, 'dist/earshotd/'), buildFile: 'build' };
  const { main } = loadBundle(bundle, 'main.cjs', `earshotd/${use}`) as typeof Main;
  void main(argv);
}
