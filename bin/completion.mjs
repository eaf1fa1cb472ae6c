// Part of `npm run build`: writes dist/cli/completion.json, what may stand where on the command line, so that completing a line
// loads no command.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = await Config.load({ root, userPlugins: false, devPlugins: false });

/** Not ids, and so without a name: rooms, templates, batches and profiles are called by what they are. */
const called = {
  room: 'room',
  'room-id': 'room',
  template: 'template',
  batch: 'batch',
  profile: 'profile',
  project: 'project',
};

const word = (name, { names, options }) => {
  const kind = names ?? (options === undefined ? called[name] : undefined);
  return { ...(options === undefined ? {} : { options }), ...(kind === undefined ? {} : { kind }) };
};

const shape = {};
for (const command of config.commands.filter(({ hidden }) => !hidden)) {
  const { args = {}, flags = {}, baseFlags = {} } = await command.load();
  const all = { ...baseFlags, ...flags };
  const described = {
    args: Object.entries(args).map(([name, one]) => word(name, one)),
    flags: Object.fromEntries(
      Object.entries(all)
        .filter(([, { hidden }]) => !hidden)
        .map(([name, one]) => [
          name,
          { value: one.type === 'option', ...(one.char === undefined ? {} : { char: one.char }), ...word(name, one) },
        ]),
    ),
  };
  for (const id of [command.id, ...command.aliases]) shape[id.replaceAll(':', ' ')] = described;
}
writeFileSync(new URL('../dist/cli/completion.json', import.meta.url), JSON.stringify(shape));
