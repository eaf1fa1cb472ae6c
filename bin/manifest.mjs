// Part of `npm run build`: writes oclif.manifest.json, so that a command starts without loading all the others.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';

const root = fileURLToPath(new URL('..', import.meta.url));
const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
await plugin.load();
// The file system lists commands in any order.
const commands = Object.fromEntries(
  Object.entries(plugin.manifest.commands).sort(([one], [other]) => (one < other ? -1 : 1)),
);
const manifest = { ...plugin.manifest, commands };
writeFileSync(new URL('../oclif.manifest.json', import.meta.url), `${JSON.stringify(manifest)}\n`);
