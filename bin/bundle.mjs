// Part of `npm run build`: bundles what is loaded as one file. Today that is the pages; a program is one more entry in
// `bundles`, with `platform: 'node'`. Tests run the sources and need none of it.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

const bundles = [
  {
    folder: 'dist/web',
    platform: 'browser',
    // The pages name these files; chunks that they share carry a hash of what is in them.
    input: {
      'room/main': 'web/room/main.ts',
      'room/seal-worker': 'src/browser/seal-worker.ts',
      'docs/main': 'web/docs/main.ts',
      'invitation/main': 'web/invitation/main.ts',
    },
  },
];

/** `…/node_modules/@scope/name/dist/x.js` → `…/node_modules/@scope/name`; null for our own files. */
const packageFolder = (moduleId) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId.replaceAll('\\', '/'))?.[0];

/** The licence of every package that went in goes out with the bundle. */
function writeLicences(folder, output) {
  const packages = new Set(output.flatMap(({ moduleIds = [] }) => moduleIds.map(packageFolder)).filter(Boolean));
  const texts = [...packages].sort().map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].map((one) => join(path, one)).find(existsSync);
    if (file === undefined) throw new Error(`${name} goes into ${folder} and brings no text of its licence.`);
    return `${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}\n`;
  });
  writeFileSync(join(root, folder, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

for (const { folder, platform, input } of bundles) {
  rmSync(join(root, folder), { recursive: true, force: true });
  const { output } = await build({
    cwd: root,
    input,
    platform,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    output: { dir: folder, format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    logLevel: 'warn',
  });
  writeLicences(folder, output);
}

// The viewer of /docs is a bundle already; it goes along as its makers ship it, so that nothing comes from another host.
const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const viewerFolder = join(root, 'dist/web/docs/viewer');
mkdirSync(viewerFolder, { recursive: true });
for (const file of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'])
  copyFileSync(join(viewer, file), join(viewerFolder, file));
