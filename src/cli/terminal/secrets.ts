/**
 * Secrets are typed hidden on a terminal, or read from standard input or a file; never taken from an argument, which
 * every account on the machine can read.
 */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import type { z } from 'zod';
import { judge, problemLines } from '../../contract/judge.js';
import { harmless } from '../../printable.js';
import { UsageError } from '../typed/usage-error.js';
import { Interrupted } from './interruption.js';
import { printError } from './terminal.js';

export const readStdin = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');

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
  if ((await askPassword(`${message}, once more`, flag)) !== answer)
    throw new UsageError('The two are not the same; nothing was changed.');
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

/** Flags for the secret fields of a request, with the names that the API uses. */
export const secretsFlags = (names: string) => ({
  'secrets-stdin': Flags.boolean({ description: `Read what is secret as JSON from standard input: ${names}` }),
  'secrets-file': Flags.string({ description: 'The same from a file', exclusive: ['secrets-stdin'] }),
});

export interface SecretsFlags {
  readonly 'secrets-stdin': boolean;
  readonly 'secrets-file'?: string | undefined;
}

/** The secrets from these flags, checked; null without such a flag. Throws UsageError. */
export async function statedSecrets<S extends z.ZodObject>(
  schema: S,
  { 'secrets-stdin': fromStdin, 'secrets-file': file }: SecretsFlags,
): Promise<z.output<S> | null> {
  if (fromStdin) return judged(schema, await readStdin(), 'Standard input');
  return file === undefined ? null : judged(schema, await readSecretFile(file), file);
}

async function readSecretFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new UsageError(`There is no file ${file} that can be read.`);
  }
}

/** Messages name fields, never their values. */
function judged<S extends z.ZodObject>(schema: S, stated: string, source: string): z.output<S> {
  let value: unknown;
  try {
    value = JSON.parse(stated);
  } catch {}
  if (typeof value !== 'object' || value === null) {
    const fields = Object.keys(schema.shape).map((name) => `"${name}":…`);
    throw new UsageError(`${source} holds no JSON object such as {${fields.join(', ')}}.`);
  }
  const checked = judge(schema.strict(), value);
  if (checked.success) return checked.data as z.output<S>;
  throw new UsageError(problemLines(checked.problems, source).join('\n'));
}

/** Flags that used to take a secret as their value: refused, with the safe way. */
export const refusedFlags = <Name extends string>(
  names: readonly Name[],
  instead: string,
): Readonly<Record<Name, Interfaces.OptionFlag<string | undefined>>> =>
  Object.assign(
    {},
    ...names.map((name) => ({
      [name]: Flags.string({
        hidden: true,
        parse: async () => {
          throw new UsageError(`--${name} would show the secret to everybody on this machine. ${instead}`);
        },
      }),
    })),
  );
