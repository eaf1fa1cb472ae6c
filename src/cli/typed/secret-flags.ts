/**
 * Flags by which commands are handed secrets: standard input or a file, never an argument, which every account on the
 * machine can read.
 */
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import type { z } from 'zod';
import { judge, problemLines } from '../../contract/judge.js';
import { readStdin } from '../../terminal/questions.js';
import { UsageError } from '../../terminal/usage-error.js';
import { readText } from '../files/read-text.js';

/** Flags for the secret fields of a request, with the names that the API uses. */
export const secretsFlags = (names: string) => ({
  'secrets-stdin': Flags.boolean({ description: `Read the secrets as JSON from standard input: ${names}` }),
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
  return file === undefined ? null : judged(schema, await readText(file), file);
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
