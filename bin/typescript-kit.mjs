// `npm run kits:typescript`: makes the package earshot-client from the library and the contract, in dist/earshot-client or in the folder
// that is named. Needs a build. `npm pack ./dist/earshot-client` packs it.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { DomainEvent, eventData } from '../dist/src/contract/events.js';
import { routes } from '../dist/src/contract/routes.js';
import * as partialMessages from '../dist/src/contract/sessions/partial-messages.js';
import * as eventStreams from '../dist/src/contract/streams/event-streams.js';
import { writeLicences } from './bundle-licences.mjs';
import { Forms } from './contract-forms.mjs';
import { contractTypes } from './contract-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kit = join(root, 'kits/typescript');
const source = join(root, 'dist/src');
const folder = resolve(process.argv[2] ?? join(root, 'dist/earshot-client'));
const entries = { index: 'client/portable', rooms: 'browser/rooms', verify: 'signing/verify-webhook' };

const forms = new Forms([routes, eventData, partialMessages, eventStreams, { DomainEvent }]);
const isContract = (id) => id.startsWith(join(source, 'contract'));
const withoutZod = {
  name: 'contract-without-zod',
  resolveId: (id) => {
    if (id === 'contract:schema') return join(kit, 'schema.ts');
    return id === 'contract:forms' ? id : null;
  },
  load: async (id) => {
    if (id === 'contract:forms') return forms.namedForms();
    if (!isContract(id) || !/ from 'zod'/.test(readFileSync(id, 'utf8'))) return null;
    return forms.moduleOf(await import(id));
  },
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(source, `${path}.js`)]));
const worker = join(source, 'browser/seal-worker.js');
const outputs = [];
for (const [format, name, files] of [
  ['es', 'esm', { ...input, 'seal-worker': worker }],
  ['cjs', 'cjs', input],
]) {
  const { output } = await build({
    ...{
      cwd: root,
      input: files,
      platform: 'browser',
      plugins: [withoutZod],
      logLevel: 'warn',
      checks: { ineffectiveDynamicImport: false },
    },
    output: { dir: join(folder, name), format, entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
  });
  outputs.push(...output);
  writeFileSync(join(folder, name, 'package.json'), `{ "type": "${format === 'es' ? 'module' : 'commonjs'}" }\n`);
}
writeLicences(relative(root, folder), outputs);

/** Declaration files that these need, by their path below dist/src, without those of the contract. */
function declarationsOf(paths, found = new Map()) {
  for (const path of paths) {
    if (found.has(path) || path.startsWith('contract/')) continue;
    const text = readFileSync(join(source, `${path}.d.ts`), 'utf8');
    found.set(path, text);
    const named = [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, name]) => name);
    declarationsOf(
      named.map((name) => relative(source, join(source, dirname(path), name))),
      found,
    );
  }
  return found;
}

/** As compilers before TypeScript 5.7 read them, too, with the contract in one file. */
const portable = (text) =>
  text
    .replaceAll(/'((?:\.\.?\/)+)contract\/[^']+\.js'/g, "'$1contract.js'")
    .replaceAll('Uint8Array<ArrayBuffer>', 'Uint8Array');

const declarations = declarationsOf(Object.values(entries));
const head = readFileSync(join(kit, 'contract.d.ts'), 'utf8').trim();
const { types, values } = await contractTypes(head, [...declarations.values()]);
for (const name of ['esm', 'cjs']) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  };
  for (const [path, text] of declarations) write(`${path}.d.ts`, portable(text));
  for (const [entry, path] of Object.entries(entries)) write(`${entry}.d.ts`, `export * from './${path}.js';\n`);
  write('index.d.ts', `export * from './${entries.index}.js';\nexport type * from './types.js';\n`);
  write('types.d.ts', types);
  write('contract.d.ts', values);
}

for (const file of ['README.md', 'package.json']) cpSync(join(kit, file), join(folder, file));
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
