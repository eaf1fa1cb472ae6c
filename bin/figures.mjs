// `npm run figures`: counts what the house is made of, so that a claim about its size can be compared with itself.
// Prints lines by folder, modules that import each other or lead back to themselves, imports across modules, and functions over 50 lines.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['daemon', 'src', 'commands', 'web'];
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const linesOf = (text) => text.split('\n').length - 1;

const functionLinesMax = 50;

/** Functions and methods with more lines than that, with their name or the line where they begin. */
function longFunctions(file, text) {
  const lineAt = (place) => linesOf(text.slice(0, place)) + 1;
  const found = [];
  const walk = (node, name) => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) walk(one, name);
      return;
    }
    const own = node.id?.name ?? node.key?.name ?? name;
    if (/Function/.test(node.type ?? '') && node.body !== null) {
      const lines = lineAt(node.end) - lineAt(node.start) + 1;
      if (lines > functionLinesMax) found.push({ file, name: own ?? `line ${lineAt(node.start)}`, lines });
    }
    for (const [key, part] of Object.entries(node)) if (key !== 'parent') walk(part, own);
  };
  walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);
  return found;
}

const moduleOf = (file) => /^daemon\/modules\/([^/]+)\//.exec(file)?.[1] ?? null;
/** The gameplay modules are layers: a higher one imports files of a lower one. */
const layers = new Set(['game-events', 'challenges', 'leaderboards', 'seasons', 'players']);

const imports = [...sources].flatMap(([file, text]) => {
  const from = moduleOf(file);
  if (from === null) return [];
  return [...text.matchAll(/from '(\.[^']+)'/g)].flatMap(([, path]) => {
    const target = relative(root, join(root, dirname(file), path));
    const to = moduleOf(target);
    return to === null || to === from ? [] : [{ file, from, to, target }];
  });
});
const edges = new Set(imports.map(({ from, to }) => `${from} ${to}`));
const mutual = [...edges]
  .map((edge) => edge.split(' '))
  .filter(([from, to]) => from < to && edges.has(`${to} ${from}`))
  .map((pair) => pair.join(' ⇄ '));
const reachedFrom = (module, seen = new Set()) => {
  for (const { from, to } of imports) if (from === module && !seen.has(to)) reachedFrom(to, seen.add(to));
  return seen;
};
const inCircles = [...new Set(imports.map(({ from }) => from))].filter((one) => reachedFrom(one).has(one));
const across = imports.filter(({ from, to }) => !(layers.has(from) && layers.has(to)));
const inner = across.filter(({ target }) => !/\/(module|records)\.js$/.test(target));
const long = [...sources]
  .flatMap(([file, text]) => longFunctions(file, text))
  .sort((one, other) => other.lines - one.lines);

const figures = {
  ...Object.fromEntries(
    folders.map((folder) => {
      const own = [...sources].filter(([file]) => file.startsWith(`${folder}/`));
      return [`lines in ${folder}`, own.reduce((sum, [, text]) => sum + linesOf(text), 0)];
    }),
  ),
  'lines in all': [...sources.values()].reduce((sum, text) => sum + linesOf(text), 0),
  files: sources.size,
  'pairs of modules that import each other': mutual.length,
  'modules in circles of imports': inCircles.length,
  'imports across modules, but for the layers of play': across.length,
  'of them into other files than module.ts and records.ts': inner.length,
  'functions over 50 lines': long.length,
};
if (process.argv.includes('--json'))
  console.log(JSON.stringify({ ...figures, edges: edges.size, mutual, inCircles, long }, null, 2));
else {
  for (const [name, figure] of Object.entries(figures))
    console.log(`${figure.toLocaleString('en-US').padStart(9)}  ${name}`);
  for (const pair of mutual) console.log(`           ${pair}`);
  for (const { file, name, lines } of long) console.log(`${String(lines).padStart(9)}  ${name} in ${file}`);
}
