// Part of `npm run build`: writes dist/cli/help.json, the help texts as oclif renders them for 80 columns and a terminal with
// colours, so that `earshot` prints them without loading oclif.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';

// oclif reads these once, when it is loaded.
Object.assign(process.env, { OCLIF_COLUMNS: '80', FORCE_COLOR: '1', EARSHOT_DISABLE_THEME: '1' });
delete process.env.NO_COLOR;
const { Config } = await import('@oclif/core/config');
const EarshotHelp = createRequire(import.meta.url)('../dist/cli/help.cjs');
const agentMark = '{user agent}';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = await Config.load({ root, userPlugins: false, devPlugins: false });
const { commands, topics, version, userAgent } = config;
const names = [...commands.map((one) => [one, 'id', one.id]), ...topics.map((one) => [one, 'name', one.name])];
// Rendering writes names with spaces into what it renders; lists of commands know by the aliases what to leave out.
const written = [...names, ...commands.map((one) => [one, 'aliases', one.aliases])];

/** Returns oclif's help about the subject, such as ['sanctions', 'list']. */
async function helpOf(words) {
  let text = '';
  class Kept extends EarshotHelp {
    log(...lines) {
      text += `${format(...lines)}\n`;
    }
  }
  await new Kept(config, config.pjson.oclif.helpOptions).showHelp(words);
  for (const [one, field, name] of written) one[field] = name;
  return text.replace(userAgent, agentMark);
}

const ids = [...new Set(['', ...names.map(([, , name]) => name)])];
const isStatic = (id) => config.findCommand(id)?.hasDynamicHelp !== true;
const texts = {};
for (const id of ids.filter(isStatic)) {
  const words = id === '' ? [] : id.split(':');
  texts[words.join(' ')] = await helpOf(words);
}
const topicsAlone = topics.map(({ name }) => name).filter((name) => config.findCommand(name) === undefined);
const help = {
  agent: `earshot/${version}`,
  topics: topicsAlone.map((name) => name.replaceAll(':', ' ')),
  texts,
};
writeFileSync(new URL('../dist/cli/help.json', import.meta.url), JSON.stringify(help));
