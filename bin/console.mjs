// Part of `npm run build`: builds the console with Vite and compresses its files, so that the daemon never does.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { writeLicences } from './bundle-licences.mjs';

const folder = 'dist/web/console';
const root = fileURLToPath(new URL('..', import.meta.url));
const licences = {
  name: 'licences',
  writeBundle: (_options, bundle) => writeLicences(folder, Object.values(bundle)),
};

await build({
  configFile: false,
  root: join(root, 'web/console'),
  base: '/console/',
  logLevel: 'warn',
  plugins: [licences],
  // The daemon puts a new value here in each answer: Mantine writes its variables into a style element.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: join(root, folder),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the content policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000, // KB; test/browser/console-size.test.ts says what may load
    rolldownOptions: { checks: { moduleLevelDirective: false } }, // "use client" in every file of React libraries
  },
});

const assets = join(root, folder, 'assets');
for (const name of readdirSync(assets)) {
  const bytes = readFileSync(join(assets, name));
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
  writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, brotli));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}
