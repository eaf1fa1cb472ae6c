/** Called by oclif when there is no command of the typed name: prints the commands that may be meant. */
import type { Hook } from '@oclif/core';
import { UsageError } from '../terminal/usage-error.js';
import { byOtherWords } from './typed/other-words.js';
import { suggestions } from './typed/suggestions.js';

const commandNotFound: Hook<'command_not_found'> = async ({ id, config: { commands } }) => {
  const names = commands.filter(({ hidden }) => hidden !== true).map((command) => command.id);
  throw new UsageError(answerTo(id.split(':'), new Set(names), new Set(names.flatMap(topicsOf))));
};
export default commandNotFound;

/** `a:b:c` lies in `a` and in `a:b`. */
const topicsOf = (name: string): string[] =>
  name
    .split(':')
    .map((_, index, words) => words.slice(0, index).join(':'))
    .filter((topic) => topic !== '');

function answerTo(typed: readonly string[], commands: ReadonlySet<string>, topics: ReadonlySet<string>): string {
  const known = typed.findLastIndex((_, index) => {
    const name = typed.slice(0, index + 1).join(':');
    return commands.has(name) || topics.has(name);
  });
  const [begin, unknown = ''] = [typed.slice(0, known + 1).join(':'), typed[known + 1]];
  const spelt = begin.replaceAll(':', ' ');
  if (commands.has(begin) && !topics.has(begin))
    return `\`earshot ${spelt}\` does not accept "${unknown}"; see \`earshot ${spelt} --help\`.`;
  // `leaderboards remove` is more likely the beginning of `remove-member` than another word for `delete`.
  const begun = [...commands].filter((name) => name.startsWith(`${begin}:${unknown}-`));
  const called = [...begun.map((name) => name.replaceAll(':', ' ')), ...byOtherWords(begin, unknown, commands)];
  const near = suggestions(typed, new Set([...commands, ...topics])).filter(
    (name) => name.split(' ').length > known + 1,
  );
  const meant = called.length > 0 ? called : near;
  const isNone = `"${[spelt, unknown].join(' ').trim()}" is no command`;
  if (meant.length > 0) return `${isNone}. Did you mean ${meant.map((name) => `\`earshot ${name}\``).join(', or ')}?`;
  if (begin === '') return `${isNone}; \`earshot --help\` lists them.`;
  const verbs = [...commands]
    .filter((name) => name.startsWith(`${begin}:`))
    .map((name) => name.slice(begin.length + 1));
  return `${isNone}. \`earshot ${spelt}\` can be followed by: ${[...new Set(verbs.map((verb) => verb.split(':')[0]))].sort().join(', ')}.`;
}
