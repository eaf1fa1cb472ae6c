// Part of `npm run build`: writes oclif.manifest.json, so that a command starts without loading all the others, and beside each
// command its own part of it, because the whole takes long to read.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core';

const root = fileURLToPath(new URL('..', import.meta.url));
const plugin = new Plugin({ root, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
await plugin.load();
writeFileSync(new URL('../oclif.manifest.json', import.meta.url), `${JSON.stringify(plugin.manifest)}\n`);

const { commands, version } = plugin.manifest;
for (const id of Object.keys(commands).filter((id) => id !== 'help')) {
  // The words after a command may name another one.
  const isMeant = (name) => name === id || name.startsWith(`${id}:`);
  const meant = Object.entries(commands).filter(([name, { aliases }]) => [name, ...aliases].some(isMeant));
  const file = new URL(`../dist/cli/commands/${id.replaceAll(':', '/')}.json`, import.meta.url);
  writeFileSync(file, JSON.stringify({ commands: Object.fromEntries(meant), version }));
}
