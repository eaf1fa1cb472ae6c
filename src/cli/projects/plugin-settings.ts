/** Settings of plugins as people type them: `--set name=value`, or a JSON file with everything. */
import * as Flags from '@oclif/core/flags';
import { FreeData } from '../../contract/common.js';
import { UsageError } from '../../terminal/usage-error.js';
import { readText } from '../files/read-text.js';
import { repeatedWhole } from '../typed/repeated.js';

export const settingsFlags = {
  set: Flags.string({
    ...repeatedWhole,
    description: 'A setting as name=value; numbers, true, false and JSON are parsed',
  }),
  settings: Flags.string({ description: 'JSON file with settings; - reads standard input, where secrets belong' }),
};

type TypedSettings = ReturnType<typeof FreeData.parse>;

/** Returns the value that somebody typed: JSON where it is JSON, else text. */
function meantBy(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

async function fromFile(path: string): Promise<TypedSettings> {
  const text = await readText(path);
  try {
    return FreeData.parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`--settings: ${path} is no JSON object: ${error instanceof Error ? error.message : error}`);
  }
}

/** undefined: nothing was typed. Throws UsageError. */
export async function settingsFrom(flags: {
  set?: string[] | undefined;
  settings?: string | undefined;
}): Promise<TypedSettings | undefined> {
  if (flags.set === undefined && flags.settings === undefined) return undefined;
  const pairs = (flags.set ?? []).map((typed) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(typed) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(`--set: write "${typed}" as name=value.`);
    return [name, meantBy(value)] as const;
  });
  const whole = {
    ...(flags.settings === undefined ? {} : await fromFile(flags.settings)),
    ...Object.fromEntries(pairs),
  };
  return FreeData.parse(whole);
}
