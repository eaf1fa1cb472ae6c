// Part of `npm run build`: takes what pages show from npm packages into the build, so that nothing comes from another host.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const target = fileURLToPath(new URL('../dist/web/docs/viewer/', import.meta.url));

mkdirSync(target, { recursive: true });
for (const file of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css', 'LICENSE', 'NOTICE'])
  copyFileSync(join(viewer, file), join(target, file));
