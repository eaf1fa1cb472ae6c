/**
 * Generates both database clients with their types, offline. Prisma's CLI wants its native schema engine even for this; naming any
 * program in PRISMA_SCHEMA_ENGINE_BINARY keeps it from fetching one. The variable must never reach `migrate`, which
 * would then do nothing and report success. Does nothing while models and Prisma are unchanged.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compose, providers, root } from './compose.mjs';
import { digestOf, folderOf, stampDigest, stampedDigest, writeTables } from './generated.mjs';

const prisma = createRequire(import.meta.url).resolve('prisma/package.json');

for (const provider of providers) {
  const digest = digestOf(provider);
  if (stampedDigest(provider) === digest) continue;
  rmSync(folderOf(provider), { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [prisma.replace('package.json', 'build/index.js'), 'generate', '--schema', compose(provider)],
    {
      cwd: `${root}..`,
      stdio: 'pipe', // printed with the error when it fails
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        PRISMA_DISABLE_WARNINGS: '1',
      },
    },
  );
  stampDigest(provider, digest);
}

writeTables();
