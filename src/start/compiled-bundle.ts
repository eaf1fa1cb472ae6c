/**
 * Loads a bundle of CommonJS together with what V8 made of it the last time, so that it is not compiled again. Compiled
 * code lies in the user's cache folder, a file for each use of the bundle, because each use needs other parts of it. If
 * anything is wrong with it, the bundle is loaded without it. Node.js 22 has `module.enableCompileCache` for this;
 * Node.js 20 has nothing.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { type CompiledCode, readCode, writeCode } from './code-cache.js';

interface Bundle {
  /** Absolute, with a slash at the end. */
  readonly folder: string;
  /** The file that states which build this is, so that code of another is not taken for it. */
  readonly buildFile: string;
}

interface LoadedModule {
  exports: unknown;
}
type Wrapper = (...locals: readonly unknown[]) => void;

/** Time after which a program has certainly started. */
const startMs = 10_000;
const [before, after] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** The exports of a file of the bundle. `use` names the file of compiled code: the command that is about to run. */
export function loadBundle({ folder, buildFile }: Bundle, file: string, use: string): unknown {
  const outside = createRequire(join(folder, file));
  // Node.js maps stacks to the sources for what it has loaded itself.
  if (
    process.execArgv
      .concat(process.env.NODE_OPTIONS ?? '')
      .join(' ')
      .includes('--enable-source-maps')
  )
    return outside(join(folder, file));

  const build = readFileSync(join(folder, buildFile), 'utf8').trim();
  let kept = readCode(use, build);
  const modules = new Map<string, LoadedModule>();
  const scripts = new Map<string, Script>();
  let isKept = kept.size > 0;

  const load = (path: string): unknown => {
    const loaded = modules.get(path);
    if (loaded !== undefined) return loaded.exports;
    const name = path.slice(folder.length);
    const cachedData = kept.get(name);
    const script = new Script(`${before}${readFileSync(path, 'utf8')}${after}`, {
      filename: path,
      columnOffset: -before.length,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    if (script.cachedDataRejected === true) isKept = false;
    scripts.set(name, script);
    const module: LoadedModule = { exports: {} };
    modules.set(path, module);
    const here = dirname(path);
    const require = (id: string): unknown => {
      if (id.startsWith('.')) return load(join(here, id));
      return id.startsWith(folder) ? load(id) : outside(id);
    };
    const run: Wrapper = script.runInThisContext();
    run.call(module.exports, module.exports, Object.assign(require, { resolve: outside.resolve }), module, path, here);
    return module.exports;
  };

  // Functions that are compiled only when they run are there by then as well. A program that goes on would compile
  // much that no start needs.
  const keep = () => {
    if (!isKept) writeCode(use, build, codeOf(scripts));
    isKept = true;
    // Megabytes, which nothing that is loaded later needs.
    kept = new Map();
    scripts.clear();
  };
  process.once('exit', keep);
  setTimeout(keep, startMs).unref();
  return load(join(folder, file));
}

const codeOf = (scripts: ReadonlyMap<string, Script>): CompiledCode =>
  new Map([...scripts].map(([name, script]) => [name, script.createCachedData()]));
