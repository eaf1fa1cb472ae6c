/** The program `earshotd`: its bundle, with what V8 compiled of it the last time. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadBundle } from '../src/start/compiled-bundle.js';
import { requirements } from '../src/start/machine.js';
import type * as Main from './main.js';
import { plainQueryCompiler } from './platform/database/query-compiler.js';

/** @param root folder of the package */
export function start(argv: readonly string[], root: string): void {
  if (argv.length === 3 && argv[2] === '--version') process.stdout.write(`${versionIn(root)}\n${requirements}\n`);
  else run(argv, root);
}

const versionIn = (root: string): string => createRequire(root)(join(root, 'package.json')).version;

function run(argv: readonly string[], root: string): void {
  const use = /^[a-z]+$/.exec(argv[2] ?? '')?.[0] ?? 'help';
  plainQueryCompiler(); // before V8 looks at compiled code, which holds for the same flags alone
  const bundle = { folder: join(root, 'dist/earshotd/'), buildFile: 'build' };
  const { main } = loadBundle(bundle, 'main.cjs', `earshotd/${use}`) as typeof Main;
  void main(argv);
}
