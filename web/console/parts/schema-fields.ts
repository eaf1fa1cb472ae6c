/** Reads from a schema of the contract which fields a form has. */
import type { z } from 'zod';

/** How a field is edited. */
type FieldKind =
  | 'text'
  | 'long'
  | 'number'
  | 'span'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'time'
  | 'json'
  /** Texts, one in each line. */
  | 'list'
  /** Texts in one line, with commas between them. */
  | 'commas'
  /** One text, or one for each language. */
  | 'texts'
  /** An object: its fields. */
  | 'group'
  /** An object that has one of its fields. */
  | 'one'
  /** A list of objects or lists. */
  | 'rows'
  /** Values by a name that is typed. */
  | 'map';

export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Values of a choice. */
  readonly options: readonly string[];
  /** Values of the choice are numbers. */
  readonly isNumeric: boolean;
  readonly required: boolean;
  /** null is a value of its own: the field is cleared. */
  readonly nullable: boolean;
  readonly description: string;
  /** Holds where nothing is sent. */
  readonly usual: unknown;
  /** Seconds of the unit in which a duration is sent. */
  readonly unitSeconds: number;
  /** Of an object. */
  readonly fields: readonly FormField[];
  /** What each row of a list, or each value of a map, is. */
  readonly row: FormField | null;
  /** Name of the schema in the contract; else that of its object, and its own. */
  readonly id: string;
  /** Name of the schema that it is a field of. */
  readonly of: string;
  /** It is a field of another field. */
  readonly isNested: boolean;
}

const longFrom = 300;
const secondsOfUnit: Readonly<Record<string, number>> = { Minutes: 60, Hours: 3_600, Days: 86_400 };

/** What stands behind optional, nullable, default, or a transformation of what is sent. */
function heldBy({ _zod: { def } }: z.core.$ZodType): z.core.$ZodType | null {
  if ('innerType' in def) return def.innerType as z.core.$ZodType;
  if (def.type !== 'pipe') return null;
  const { in: sent, out } = def as z.core.$ZodPipeDef;
  return sent._zod.def.type === 'transform' ? out : sent;
}

interface HeldType {
  readonly inner: z.core.$ZodType;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly usual: unknown;
}

/** The schema itself, with what stands on it and on its covers. */
function held(type: z.core.$ZodType): HeldType {
  const { description, ...own } = (type as z.ZodType).meta?.() ?? {};
  const meta = { ...own, ...(description ? { description } : {}) };
  const next = heldBy(type);
  if (next === null) return { inner: type, meta, usual: undefined };
  const { def } = type._zod;
  const below = held(next);
  return {
    inner: below.inner,
    meta: { ...below.meta, ...meta },
    usual: def.type === 'default' ? (def as z.core.$ZodDefaultDef).defaultValue : below.usual,
  };
}

function fieldOf(name: string, type: z.ZodType, of: string, isNested = true): FormField {
  const { inner, meta, usual } = held(type);
  const { def } = inner._zod;
  const [, unit = ''] = /(Minutes|Hours|Days)$/.exec(name) ?? [];
  const common: Omit<FormField, 'kind'> = {
    ...{ name, usual, of, isNested, fields: [], row: null },
    description: typeof meta.description === 'string' ? meta.description : '',
    id: typeof meta.id === 'string' ? meta.id : `${of}.${name}`,
    required: !type.safeParse(undefined).success,
    nullable: type.safeParse(null).success,
    options: optionsOf(inner),
    isNumeric: false,
    unitSeconds: secondsOfUnit[unit] ?? 1,
  };
  if (Array.isArray(meta.enum)) return { ...common, options: meta.enum.map(String), kind: 'choice' };
  if (meta.unit === 'seconds' || (unit !== '' && def.type !== 'string')) return { ...common, kind: 'span' };
  if (def.type === 'union') return { ...common, ...unionField(def as z.core.$ZodUnionDef) };
  if (def.type === 'array') return { ...common, ...listField((def as z.core.$ZodArrayDef).element, isNested) };
  const values = valuesOf(def);
  if (values !== null) {
    const row = fieldOf('value', values as z.ZodType, common.id);
    return { ...common, ...(row.kind === 'json' ? { kind: 'json' } : { row, kind: 'map' }) };
  }
  if (def.type === 'object') return { ...common, ...objectField(inner as z.ZodObject, common.id) };
  if (def.type === 'string') {
    const format = 'format' in def ? def.format : null;
    const { maximum = 0 } = inner._zod.bag as { maximum?: number };
    return {
      ...common,
      kind: format === 'datetime' ? 'time' : maximum >= longFrom && format === null ? 'long' : 'text',
    };
  }
  const kinds: Readonly<Record<string, FieldKind>> = {
    ...{ boolean: 'flag', number: 'number', int: 'number', enum: 'choice', literal: 'choice' },
  };
  const isNumeric =
    def.type === 'literal' &&
    (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values.every((one) => typeof one === 'number');
  return { ...common, isNumeric, kind: kinds[def.type] ?? 'json' };
}

/** The schema of all values, where their names are open; null: they are not, or nothing is known about the values. */
function valuesOf(def: z.core.$ZodTypeDef): z.core.$ZodType | null {
  if (def.type === 'record') return (def as z.core.$ZodRecordDef).valueType;
  if (def.type !== 'object') return null;
  const { shape, catchall } = def as z.core.$ZodObjectDef;
  const isOpen = Object.keys(shape).length === 0 && catchall !== undefined;
  return isOpen && !['never', 'unknown', 'any'].includes(catchall._zod.def.type) ? catchall : null;
}

type Shaped = Pick<FormField, 'kind'> & Partial<FormField>;

function listField(element: z.core.$ZodType, isNested: boolean): Shaped {
  const { inner } = held(element);
  const options = optionsOf(inner);
  if (options.length > 0) return { options, kind: 'choices' };
  const row = fieldOf('row', element as z.ZodType, '');
  if (row.kind === 'json') return { kind: 'json' };
  if (['group', 'one', 'rows'].includes(row.kind)) return { row, kind: 'rows' };
  return { kind: isNested ? 'commas' : 'list' };
}

/** An object that is refused empty, and whose fields are objects, says one of several things. */
function objectField(type: z.ZodObject, id: string): Shaped {
  const fields = Object.entries(type.shape)
    .map(([name, one]) => fieldOf(name, one as z.ZodType, id))
    // A version of the format has one value only.
    .filter(({ kind, options, required }) => kind !== 'choice' || options.length > 1 || required);
  if (fields.length === 0) return { kind: 'json' };
  const isOne =
    fields.every(({ required, usual }) => !required && usual === undefined) &&
    fields.some(({ kind }) => kind === 'group') &&
    !type.safeParse({}).success;
  return { fields, kind: isOne ? 'one' : 'group' };
}

/** A choice of numbers; a text, or one for each language; or text, also where a number may stand. */
function unionField({ options }: z.core.$ZodUnionDef): Shaped {
  const values = options.map((one) => optionsOf(one));
  if (values.every((some) => some.length > 0)) return { kind: 'choice', options: values.flat(), isNumeric: true };
  const types = options.map((one) => held(one).inner._zod.def.type);
  if (!types.includes('string')) return { kind: 'json' };
  return { kind: types.includes('record') ? 'texts' : 'text' };
}

function optionsOf(type: z.core.$ZodType): readonly string[] {
  const { def } = type._zod;
  if (def.type === 'enum') return Object.values((def as z.core.$ZodEnumDef).entries).map(String);
  return def.type === 'literal' ? (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values.map(String) : [];
}

/** Passwords and keys, which are not shown while they are typed. */
export const isSecret = (name: string): boolean =>
  /^(secret|password|apiKey|apiSecret|accessKey|authorization|basicAuthPassword)$/.test(name);

/** Fields that no command line shows: commands read them from standard input. */
export const isHidden = (name: string): boolean =>
  isSecret(name) || /^(customHeaders|tokenProviderSettings)$/.test(name);

export const fieldsOf = (schema: z.ZodObject): readonly FormField[] =>
  Object.entries(schema.shape).map(([name, type]) => fieldOf(name, type as z.ZodType, schema.meta()?.id ?? '', false));
