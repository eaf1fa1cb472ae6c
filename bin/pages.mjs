// Part of `npm run build`: builds the pages and the console with Vite and compresses their files, so that the daemon never does.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { writeLicences } from './bundle-licences.mjs';

const require = createRequire(import.meta.url);
const folder = 'dist/web';
const root = fileURLToPath(new URL('..', import.meta.url));
/** The console is apart: what the small pages share with it would be as large as the console needs it. */
const builds = [['console'], ['docs', 'home', 'invitation', 'room', 'standing']];
const written = [];
const resolveDependencies = (_file, all, { hostType }) =>
  hostType === 'js' ? all.filter((file) => file.endsWith('.css')) : all;

/** Zod tries out eval as the first schema is made, which the content policy would refuse and report. */
const zodCore = /zod\/v4\/core\/core\.js$/;
const withoutEval = '(globalThis.__zod_globalConfig ??= {}).jitless = true;';

/** What a visit of the console needs to the numbers of the overview, and what it draws after them: a file each, for a request costs a kilobyte and a way. */
const visited = {
  first: ['main.tsx', 'overview/screen.tsx', 'cases/case-bar.tsx', 'parts/held-bar.tsx'],
  second: ['overview/feed.tsx', 'overview/day-chart.tsx'],
};
/** The group of each module that these import, directly or not; the first of the groups counts. */
const groups = new Map();
function groupOf(id, modules) {
  if (groups.size === 0)
    for (const [name, files] of Object.entries(visited)) {
      const waiting = files.map((file) => join(root, 'web/console', file));
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (groups.has(next)) continue;
        groups.set(next, name);
        waiting.push(...(modules.getModuleInfo(next)?.importedIds ?? []));
      }
    }
  return groups.get(id) ?? null;
}

for (const [index, pages] of builds.entries()) {
  const { output } = await build({
    configFile: false,
    base: './', // a proxy may show the daemon below a path
    root: join(root, 'web'),
    logLevel: 'warn',
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir: join(root, folder),
      emptyOutDir: index === 0,
      target: 'es2023',
      assetsInlineLimit: 0, // the content policy allows no data: scripts or fonts
      // Lists of the scripts of later screens would be loaded before the first one; screens load as the pointer nears their links.
      modulePreload: { polyfill: false, resolveDependencies },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000, // KB; test/browser/console.test.ts says what may load
      rolldownOptions: {
        input: Object.fromEntries(pages.map((name) => [name, join(root, `web/${name}/index.html`)])),
        checks: { moduleLevelDirective: false }, // "use client" in every file of React libraries
        output: {
          ...(pages.includes('console')
            ? { codeSplitting: { groups: [{ name: groupOf, debugName: 'visited' }] } }
            : {}),
          banner: ({ moduleIds }) => (moduleIds.some((id) => zodCore.test(id)) ? withoutEval : ''),
        },
      },
    },
  });
  written.push(...output);
}
writeLicences(folder, written);

const assets = join(root, folder, 'assets');
for (const name of readdirSync(assets)) {
  const bytes = readFileSync(join(assets, name));
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };
  writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, brotli));
  writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
}

// The viewer of /docs is a bundle already; it goes along as its makers ship it, so that nothing comes from another host.
const viewer = dirname(require.resolve('swagger-ui-dist/package.json'));
const viewerFolder = join(root, folder, 'viewer');
mkdirSync(viewerFolder, { recursive: true });
for (const file of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'])
  copyFileSync(join(viewer, file), join(viewerFolder, file));
