/** What oclif calls when no command has the name that was typed: says which ones are meant. */
import type { Hook } from '@oclif/core';
import { suggestions } from './suggestions.js';
import { NotUnderstood } from './times.js';

const commandNotFound: Hook<'command_not_found'> = async ({ id, config }) => {
  const names = [...config.commands, ...config.topics].filter(({ hidden }) => hidden !== true);
  const meant = suggestions(id.split(':'), new Set(names.map((one) => ('id' in one ? one.id : one.name))));
  const typed = `"${id.replaceAll(':', ' ')}" is no command`;
  if (meant.length === 0) throw new NotUnderstood(`${typed}; \`earshot --help\` lists them.`);
  throw new NotUnderstood(`${typed}. Did you mean ${meant.map((name) => `\`earshot ${name}\``).join(', or ')}?`);
};
export default commandNotFound;
