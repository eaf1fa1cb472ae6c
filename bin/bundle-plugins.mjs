// Plugins that leave out or rewrite parts of the bundles that cost time or memory at every start.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Zod speaks 60 languages, exported together, so that nothing drops them. English is what Earshot speaks. */
export const oneLanguage = {
  name: 'one-language-of-zod',
  resolveId: {
    filter: { id: /\/locales\/index\.js$/ },
    handler: (_, importer) => (importer?.includes('/zod/') ? require.resolve('zod/v4/locales/en.js') : null),
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
