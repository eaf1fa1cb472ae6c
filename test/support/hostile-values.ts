/** Values that parsers, databases and terminals have stumbled over, for requests that somebody hostile makes up. */
import fc from 'fast-check';

const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202egnp.exe',
  '\ufdfa'.repeat(300),
  'e\u0301'.repeat(200),
  '\u{1f600}'.repeat(500),
  'x'.repeat(20_000),
  "' OR 1=1 --",
  '%00%2e%2e%2f',
  '../../etc/passwd',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '1e999',
  'NaN',
  '9007199254740993',
  '0x10',
  'true',
  'null',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  'http://[::1]:0/',
  'http://169.254.169.254/latest',
  'javascript:alert(1)',
  'file:///dev/zero',
  '(a+)+$',
  '\r\nX-Injected: 1',
];
const numbers = [0, -0, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324];

const deep = (levels: number): unknown => {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

export const hostileText: fc.Arbitrary<string> = fc.constantFrom(...texts);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...numbers, null, true, [], {}, [[]], deep(60), Array(2_000).fill(0)),
  fc.constant(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":1}}')),
);

/** One field of the value, at any depth, is replaced; of a value without fields, the whole. */
export const bent = (made: fc.Arbitrary<unknown>, by = hostileValue): fc.Arbitrary<unknown> =>
  fc.tuple(made, by, fc.array(fc.nat(), { minLength: 1, maxLength: 4 })).map(([value, instead, way]) => {
    const copy = structuredClone(value);
    return replace(copy, way, instead) ? copy : instead;
  });

function replace(value: unknown, [at = 0, ...deeper]: readonly number[], instead: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  const name = names[at % Math.max(1, names.length)];
  if (name === undefined) return false;
  if (deeper.length === 0 || !replace(Reflect.get(value, name), deeper, instead)) Reflect.set(value, name, instead);
  return true;
}
