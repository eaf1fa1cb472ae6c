/** Secrets are asked hidden on a terminal, or read from standard input; never from an argument. */
import { text } from 'node:stream/consumers';
import { harmless } from '../printable.js';
import { Interrupted } from './interruption.js';
import { NotUnderstood } from './times.js';

export const readStdin = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

type Question =
  | { readonly type: 'input'; readonly message: string }
  | { readonly type: 'password'; readonly message: string; readonly mask: string; readonly toggleMask: boolean };

/** Asks on stderr: stdout is for results. Throws NotUnderstood where there is nobody to ask, Interrupted by ctrl-c. */
async function asked(question: Question, flag: string): Promise<string> {
  if (!process.stdin.isTTY) throw new NotUnderstood(`There is no terminal to ask on; use ${flag}.`);
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  try {
    return (await prompt([{ name: 'answer', ...question, message: harmless(question.message) }])).answer;
  } catch (error) {
    throw error instanceof Error && error.name === 'ExitPromptError' ? new Interrupted() : error;
  }
}

/** `flag` names the way out where there is nobody to ask. */
export const askPassword = (message: string, flag: string): Promise<string> =>
  asked({ type: 'password', message, mask: '*', toggleMask: false }, flag);

/** A new secret, asked twice: nobody sees a slip of the finger. */
export async function askNewPassword(message: string, flag: string): Promise<string> {
  const answer = await askPassword(message, flag);
  if ((await askPassword(`${message}, once more`, flag)) !== answer)
    throw new NotUnderstood('The two are not the same; nothing was changed.');
  return answer;
}

export const ask = (message: string, flag: string): Promise<string> => asked({ type: 'input', message }, flag);
