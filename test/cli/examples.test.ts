/** Examples of `--help`, which a user types first: every one must be understood. */
import { type Command, Parser } from '@oclif/core';
import { describe, expect, it } from 'vitest';
import { allCommands } from '../support/commands.js';

const commands = await allCommands();

const textOf = (example: Command.Example): string =>
  (typeof example === 'string' ? example : example.command)
    .replaceAll('<%= config.bin %>', 'earshot')
    .replaceAll('<%= command.id %>', 'COMMAND');

/** The words after the command's own name, up to what the shell keeps to itself; null where another command is shown. */
function wordsFor(id: readonly string[], text: string): string[] | null {
  const name = [`earshot COMMAND`, `earshot ${id.join(' ')}`].find((start) => text.includes(start));
  if (name === undefined) return null;
  const [typed = ''] = text.slice(text.indexOf(name) + name.length).split(/\s(?:[|<>&#]|2>)|\)"?$/);
  return [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

describe.each(commands.map(({ id, command }) => [id.join(' '), id, command] as const))(
  'earshot %s',
  (_, id, command) => {
    const examples = (command.examples ?? []).map(textOf);

    it('shows an example of itself', () => {
      expect(examples.map((text) => wordsFor(id, text)).filter((words) => words !== null)).not.toEqual([]);
    });

    it.each(examples.filter((text) => wordsFor(id, text) !== null))('understands %s', async (text) => {
      const { flags, args, baseFlags, strict } = command;
      const understood = Parser.parse(wordsFor(id, text) ?? [], {
        flags: { ...flags, ...baseFlags },
        args,
        strict: strict ?? true,
        '--': true,
      });
      await expect(understood).resolves.toBeDefined();
    });
  },
);
