// What the bundles leave out or keep in another form than its makers do, because it costs time or memory at every start.
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const require = createRequire(import.meta.url);

/** A plugin that changes one passage of a file. Throws where the passage is not found as often as it should be. */
export const replaced = ({ name, id, passage, by, times, otherwise }) => ({
  name,
  transform: {
    filter: { id },
    handler: (code) => {
      const parts = code.split(passage);
      if (parts.length !== times + 1) throw new Error(otherwise);
      return { code: parts.join(by), map: null };
    },
  },
});

/** Zod speaks 60 languages, exported together, so that nothing drops them. English is what Earshot speaks. */
export const oneLanguage = {
  name: 'one-language-of-zod',
  resolveId: {
    filter: { id: /\/locales\/index\.js$/ },
    handler: (_, importer) => (importer?.includes('/zod/') ? require.resolve('zod/v4/locales/en.js') : null),
  },
};

/** Bodies are UTF-8, and read as bytes. The tables of all other encodings are half a megabyte. */
export const oneEncoding = {
  name: 'one-encoding-of-iconv',
  transform: {
    filter: { id: /\/iconv-lite\/encodings\/index\.js$/ },
    handler: () => ({ code: "Object.assign(exports, require('./internal'));", map: null }),
  },
};

/**
 * Prisma keeps its graph of queries in objects whose keys are numbers of words. V8 takes them for arrays and gives each of 1,900
 * room for every word, 23 MB in all, unless one key is too large for an array.
 */
export const sparseGraph = replaced({
  name: 'sparse-graph-of-prisma',
  id: /@prisma\/client\/runtime\/client\.m?js$/,
  passage: 'i=this.#i(),o={};for(',
  by: 'i=this.#i(),o={4294967294:0};for(',
  times: 2,
  otherwise: "Prisma's graph of queries is read in another way now: look at its memory again.",
});

/**
 * Prisma's query compilers come as WebAssembly in a text of 2 MB, which stays in memory twice: as the source of its file, and as
 * a constant of it. Here they lie beside the bundle, and are read when a client is made.
 */
export const compilersBeside = {
  name: 'query-compilers-beside',
  transform: {
    filter: { id: /\/query_compiler_\w+\.\w+\.wasm-base64\.m?js$/ },
    handler(code, id) {
      const text = /^const wasm = "([^"]+)";\nexport \{ wasm \}\s*$/.exec(code)?.[1];
      if (text === undefined) throw new Error("Prisma's query compilers come in another form now.");
      const fileName = basename(id).replace(/-base64\.m?js$/, '');
      this.emitFile({ type: 'asset', fileName: `chunks/${fileName}`, source: Buffer.from(text, 'base64') });
      return {
        code: `const { readFileSync } = require('node:fs');
Object.defineProperty(exports, 'wasm', {
  enumerable: true,
  get: () => readFileSync(require('node:path').join(__dirname, '${fileName}'), 'base64'),
});`,
        moduleType: 'js',
        map: { mappings: '' }, // not 2 MB of text as the source
      };
    },
  },
};

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One character beyond ASCII makes V8 keep two bytes for each of a file, so such are written as escapes. */
export const oneByteEach = {
  name: 'one-byte-a-character',
  // Not as a chunk is rendered: it is printed anew after that.
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        // A backslash ahead of one says nothing of its own, and would spoil the escape.
        chunk.code = chunk.code.replaceAll(
          /(\\*)([^\0-\x7f])/g,
          (_, slashes, character) => slashes.slice(slashes.length % 2) + escaped(character),
        );
  },
};
