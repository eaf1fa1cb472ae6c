/** Secrets are asked hidden on a terminal, or read from standard input; never from an argument. */
import { text } from 'node:stream/consumers';
import { NotUnderstood } from './times.js';

export const readStdin = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

/** Throws NotUnderstood where there is nobody to ask; `flag` names the way out. */
export async function askPassword(message: string, flag: string): Promise<string> {
  if (!process.stdin.isTTY) throw new NotUnderstood(`There is no terminal to ask on; use ${flag}.`);
  const { default: inquirer } = await import('inquirer');
  const { answer } = await inquirer.prompt([{ type: 'password', name: 'answer', message, mask: '*' }]);
  return answer;
}

/** Throws NotUnderstood where there is nobody to ask. */
export async function ask(message: string, flag: string): Promise<string> {
  if (!process.stdin.isTTY) throw new NotUnderstood(`There is no terminal to ask on; use ${flag}.`);
  const { default: inquirer } = await import('inquirer');
  const { answer } = await inquirer.prompt([{ type: 'input', name: 'answer', message }]);
  return answer;
}
