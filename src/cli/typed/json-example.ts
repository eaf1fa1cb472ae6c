/** JSON as a field of objects takes it, shown where what was typed is none. */
import type { z } from 'zod';

type Schema = z.core.$ZodType;

/** Returns the required fields of an object, all of them where none is required. */
function fieldsOf(shape: Readonly<Record<string, Schema>>): Record<string, unknown> {
  const fields = Object.entries(shape);
  const required = fields.filter(([, type]) => !(type as z.ZodType).safeParse(undefined).success);
  const shown = required.length > 0 ? required : fields;
  return Object.fromEntries(shown.map(([name, type]) => [name, exampleOf(type)]));
}

function exampleOf(type: Schema): unknown {
  const def = type._zod.def;
  if ('innerType' in def) return exampleOf(def.innerType as Schema);
  switch (def.type) {
    case 'object':
      return fieldsOf((def as z.core.$ZodObjectDef).shape);
    case 'array':
      return [exampleOf((def as z.core.$ZodArrayDef).element)];
    case 'record':
      return { key: 'value' };
    case 'enum':
      return Object.values((def as z.core.$ZodEnumDef).entries)[0];
    case 'union':
      return exampleOf((def as z.core.$ZodUnionDef).options[0] as Schema);
    case 'int':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}

export const jsonExample = (type: Schema): string => JSON.stringify(exampleOf(type));
