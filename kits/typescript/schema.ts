/**
 * Judges the form of values, as the contract's schemas do with zod: what is missing, or of another kind. Lengths, patterns and
 * choices are left to the daemon, so a page loads a few kilobytes instead of zod and all texts of the contract.
 */

/**
 * Letters of the kinds that a value may have, such as `sz` for text or null, and none for any value; a list with the form of its
 * items; the fields of an object, with `?` where they may be missing and `*` for all others; or `|`, of which one has to fit. A
 * function returns a form that contains itself.
 */
type Form = string | readonly [Form] | Fields | Choice | (() => Form);
type Fields = { readonly [field: string]: Form };
type Choice = { readonly '|': readonly Form[] };

interface Issue {
  readonly code: 'invalid_type';
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Judged<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: { readonly issues: readonly Issue[] } };

/** A schema of the contract, without its text. */
export class Schema<T = unknown> {
  constructor(private readonly form: Form) {}

  get type(): 'array' | 'object' {
    return Array.isArray(this.form) ? 'array' : 'object';
  }

  safeParse(value: unknown): Judged<T> {
    const issue = issueOf(this.form, value, []);
    return issue === null ? { success: true, data: value as T } : { success: false, error: { issues: [issue] } };
  }
}

const kinds: Readonly<Record<string, string>> = { s: 'string', n: 'number', i: 'int', b: 'boolean', z: 'null' };

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};
const isOfKind = (value: unknown, letter: string): boolean =>
  letter === 'i' ? Number.isInteger(value) : kinds[letter] === kindOf(value);

/** Returns the first thing that is missing or of another kind; null: nothing is. */
function issueOf(form: Form, value: unknown, path: Issue['path']): Issue | null {
  if (typeof form === 'function') return issueOf(form(), value, path);
  const unlike = (expected: string): Issue => ({
    code: 'invalid_type',
    path,
    message: `Invalid input: expected ${expected}, received ${kindOf(value)}`,
  });
  if (typeof form === 'string') {
    const letters = [...form];
    if (letters.length === 0 || letters.some((letter) => isOfKind(value, letter))) return null;
    return unlike(letters.map((letter) => kinds[letter]).join(' or '));
  }
  if (isList(form))
    return Array.isArray(value)
      ? firstIssue(
          value.map((one, index) => [index, form[0], one]),
          path,
        )
      : unlike('array');
  if (isChoice(form)) {
    const issues = form['|'].map((one) => issueOf(one, value, path));
    if (issues.includes(null)) return null;
    return issues.find((issue) => issue !== null && issue.path.length > path.length) ?? unlike('another form');
  }
  return isObject(value) ? firstIssue(partsOf(form, value), path) : unlike('object');
}

type Part = readonly [name: string | number, form: Form, value: unknown];

function partsOf(fields: Fields, value: Readonly<Record<string, unknown>>): Part[] {
  const { '*': others, ...named } = fields;
  const parts = Object.entries(named).map(([key, form]): Part => {
    const name = key.replace(/\?$/, '');
    const isLeftOut = name !== key && value[name] === undefined;
    return [name, isLeftOut ? '' : form, value[name]];
  });
  if (others === undefined) return parts;
  const known = new Set(parts.map(([name]) => name));
  const rest = Object.entries(value).filter(([name]) => !known.has(name));
  return [...parts, ...rest.map(([name, one]): Part => [name, others, one])];
}

function firstIssue(parts: readonly Part[], path: Issue['path']): Issue | null {
  for (const [name, form, value] of parts) {
    const issue = issueOf(form, value, [...path, name]);
    if (issue !== null) return issue;
  }
  return null;
}

const isList = (form: object): form is readonly [Form] => Array.isArray(form);
const isChoice = (form: object): form is Choice => '|' in form;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => kindOf(value) === 'object';
