/** Reads the commands out of the fenced blocks of a document, in their order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const shells = new Set(['sh', 'bash', 'console']);

interface Block {
  readonly language: string;
  readonly text: string;
}

export interface Command {
  /** The command as the document has it; continued lines are part of it. */
  readonly text: string;
  /** True if it is a setting of the daemon, `NAME=value` in a block of nothing else. */
  readonly isSetting: boolean;
}

/** Returns the fenced blocks of the document, those in lists without their indentation. */
function blocksOf(document: string): Block[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map(([, indent = '', language = '', body = '']) => ({
    language,
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** Returns the commands of a block: what follows `$ ` on a console, every line of a script. */
function commandsOf({ language, text }: Block): Command[] {
  const lines = text.replaceAll(/\\\n/g, '\\\u0000').split('\n');
  const typed =
    language === 'console' ? lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2)) : lines;
  const commands = typed
    .map((line) => line.replaceAll('\u0000', '\n').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isSetting = commands.every((line) => /^EARSHOT_\w+=\S/.test(line) && !/^EARSHOT_\w+=\S* earshot/.test(line));
  return commands.map((line) => ({ text: line, isSetting }));
}

export const shellCommands = (document: string): Command[] =>
  blocksOf(document)
    .filter(({ language }) => shells.has(language))
    .flatMap(commandsOf);

/** Returns the first block of the language that contains the text. */
export function blockWith(document: string, language: string, part: string): string {
  const found = blocksOf(document).find((one) => one.language === language && one.text.includes(part));
  if (found === undefined) throw new Error(`${document} has no block of ${language} with ${part}.`);
  return found.text;
}
