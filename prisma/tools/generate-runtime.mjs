/**
 * Generates both database clients without their types, for a build that checks none, where `generate.mjs` has not generated
 * them with types.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { providers } from './compose.mjs';
import { digestOf, folderOf, stampDigest, stampedDigest, version, writeTables } from './generated.mjs';

const clientSource = (config, compiler) => `// @ts-nocheck: generated
import { getPrismaClient } from '@prisma/client/runtime/client';

const config = ${JSON.stringify(config)};
config.compilerWasm = {
  getRuntime: () => import('${compiler}.mjs'),
  getQueryCompilerWasmModule: async () => {
    const { wasm } = await import('${compiler}.wasm-base64.mjs');
    return new WebAssembly.Module(Buffer.from(wasm, 'base64'));
  },
  importName: './query_compiler_small_bg.js',
};
export const PrismaClient = getPrismaClient(config);
`;

const withoutTypes = (digest) => `${digest} without types`;

for (const provider of providers) {
  const digest = digestOf(provider);
  if ([digest, withoutTypes(digest)].includes(stampedDigest(provider))) continue;
  const { clientConfig } = await import('./runtime-client.mjs');
  const folder = folderOf(provider);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const compiler = `@prisma/client/runtime/query_compiler_small_bg.${provider}`;
  writeFileSync(`${folder}/client.ts`, clientSource(clientConfig(provider, version), compiler));
  stampDigest(provider, withoutTypes(digest));
}
writeTables();
