/** Questions on a terminal. What is secret is typed hidden, or read from standard input. */
import { buffer } from 'node:stream/consumers';
import { decodeText, NotText } from '../text/decode-text.js';
import { harmless } from '../text/printable.js';
import { Interrupted } from './interruption.js';
import { printError } from './terminal.js';
import { UsageError } from './usage-error.js';

/** Reads standard input, without the line end behind it. Throws UsageError for bytes that are no text. */
export async function readStdin(): Promise<string> {
  const bytes = await buffer(process.stdin);
  try {
    return decodeText(bytes).replace(/[\r\n]+$/, '');
  } catch (cause) {
    throw cause instanceof NotText ? new UsageError(`standard input: ${cause.message}`, { cause }) : cause;
  }
}

type Question =
  | { readonly type: 'input'; readonly message: string }
  | {
      readonly type: 'select';
      readonly message: string;
      readonly choices: readonly { readonly name: string; readonly value: string }[];
    }
  | { readonly type: 'password'; readonly message: string; readonly mask: string; readonly toggleMask: boolean };

/** True if somebody sees the question, and can answer. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Prints text before a question, in lines that fit: a question itself is broken anywhere. */
export const explain = (text: string): void => printError(harmless(text));

/** Asks on stderr: stdout is for results. Throws UsageError without a terminal, Interrupted on ctrl-c. */
async function asked(question: Question, flag: string): Promise<string> {
  if (!canAsk()) throw new UsageError(`There is no terminal to ask on; use ${flag}.`);
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  try {
    return (await prompt([{ name: 'answer', ...question, message: harmless(question.message) }])).answer;
  } catch (error) {
    throw error instanceof Error && error.name === 'ExitPromptError' ? new Interrupted() : error;
  }
}

/** `flag` is what to use instead where there is no terminal. */
export const askPassword = (message: string, flag: string): Promise<string> =>
  asked({ type: 'password', message, mask: '*', toggleMask: false }, flag);

/** A new secret, typed twice against typing errors. */
export async function askNewPassword(message: string, flag: string): Promise<string> {
  const answer = await askPassword(message, flag);
  if ((await askPassword(`${message}, again`, flag)) !== answer)
    throw new UsageError('The two entries differ; nothing was changed.');
  return answer;
}

export const ask = (message: string, flag: string): Promise<string> => asked({ type: 'input', message }, flag);

/** Asks for one of several; the caller has made sure that there is a terminal. */
export const choose = (
  message: string,
  among: readonly { readonly id: string; readonly says: string }[],
): Promise<string> =>
  asked(
    { type: 'select', message, choices: among.map(({ id, says }) => ({ name: harmless(says), value: id })) },
    'the id',
  );
