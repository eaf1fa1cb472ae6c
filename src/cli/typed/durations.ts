/** Durations in files, written as in commands: `within: 5m` in place of 300. */
import type { z } from 'zod';
import type { Problem } from '../../contract/judge.js';
import { UsageError } from '../../terminal/usage-error.js';
import { parseDuration } from './times.js';

type Type = z.core.$ZodType;

interface InSeconds {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/** The value with seconds in place of durations, in every field that the schema has in seconds. */
export function durationsInSeconds(schema: z.ZodType, value: unknown): InSeconds {
  const problems: Problem[] = [];
  return { value: read(schema, value, []), problems };

  function read(type: Type, given: unknown, path: readonly PropertyKey[]): unknown {
    if (typeof given === 'string') return isSeconds(type) ? seconds(given, path) : given;
    if (typeof given !== 'object' || given === null) return given;
    const { def } = inner(type)._zod;
    if (def.type === 'array' && Array.isArray(given)) {
      const { element } = def as z.core.$ZodArrayDef;
      return given.map((item, index) => read(element, item, [...path, index]));
    }
    if (def.type !== 'object' || Array.isArray(given)) return given;
    const fields = new Map(Object.entries((def as z.core.$ZodObjectDef).shape));
    return Object.fromEntries(
      Object.entries(given).map(([name, item]) => {
        const field = fields.get(name);
        return [name, field === undefined ? item : read(field, item, [...path, name])];
      }),
    );
  }

  function seconds(text: string, path: readonly PropertyKey[]): unknown {
    try {
      return parseDuration(text.trim());
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push({ path, message: error.message });
      return text;
    }
  }
}

/** Looks through optional, nullable and default. */
function* layers(type: Type): Generator<Type> {
  for (let at = type; ; at = at._zod.def.innerType as Type) {
    yield at;
    if (!('innerType' in at._zod.def)) return;
  }
}

const inner = (type: Type): Type => [...layers(type)].at(-1) ?? type;
const isSeconds = (type: Type): boolean =>
  [...layers(type)].some((one) => (one as z.ZodType).meta()?.unit === 'seconds');
