/**
 * Limits of text in a request: NUL and lone surrogates are refused, because not every database can store them (in text that
 * people wrote, bodies/mend-text.ts has replaced the latter), and a body has a largest depth and width. `__proto__` is refused as a key: copying an object loses it without a word.
 */
import { isUtf8 } from 'node:buffer';
import { DomainError } from '../../../src/contract/errors.js';
import { isStorable, unstorable } from '../text/storable-text.js';

/** Deepest nesting of a body. */
const depthMax = 40;
/** Most keys of one object in a body. */
const keysMax = 1_000;
/** Most items of one list in a body: as many as the longest list of the contract. A schema judges each before it counts. */
const itemsMax = 10_000;

/** The names that lead to a value. They become a path only for a refusal: making one takes longer than the look. */
type Trail = (string | number)[];

const refusedAt = (trail: Trail, message: string): DomainError =>
  new DomainError('validation_failed', { details: [{ path: trail.join('.'), message }] });

/** Throws text_not_allowed, naming the place, or validation_failed when the value is nested too deeply or too wide. */
export const refuseUnusableText = (value: unknown, path: string): void =>
  refuseWithin(value, path === '' ? [] : [path]);

/** Throws validation_failed where a list of the document itself has more items than any list of the contract. */
export function refuseLongLists(document: unknown, path: string): void {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return;
  for (const [name, list] of Object.entries(document)) if (Array.isArray(list)) refuseLong(list, [path, name]);
}

function refuseLong(list: readonly unknown[], trail: Trail): void {
  if (list.length > itemsMax) throw refusedAt(trail, `has more than ${itemsMax} items`);
}

function refuseWithin(value: unknown, trail: Trail): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw unstorable(trail.join('.'));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (trail.length > depthMax) throw refusedAt(trail, `is nested more than ${depthMax} deep`);
  if (Array.isArray(value)) {
    refuseLong(value, trail);
    for (let index = 0; index < value.length; index += 1) refuseAt(index, value[index], trail);
    return;
  }
  const names = Object.keys(value);
  if (names.length > keysMax) throw refusedAt(trail, `has more than ${keysMax} keys`);
  for (const name of names) {
    refuseWithin(name, trail);
    if (name === '__proto__') throw refusedAt([...trail, name], 'cannot be the name of a field; use another one');
    refuseAt(name, Reflect.get(value, name), trail);
  }
}

function refuseAt(place: string | number, value: unknown, trail: Trail): void {
  trail.push(place);
  refuseWithin(value, trail);
  trail.pop();
}

/** Judges the query before decoding, which would replace bytes that are not UTF-8. Throws text_not_allowed. */
export function refuseUnusableQuery(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return;
  for (const part of url.slice(start + 1).split('&')) {
    const path = `query.${part.split('=', 1)[0]}`;
    let text: string;
    try {
      text = decodeURIComponent(part);
    } catch {
      throw new DomainError('text_not_allowed', { details: [{ path, message: 'is not percent-encoded UTF-8' }] });
    }
    refuseUnusableText(text, path);
  }
}

/** Some programs begin a document with it, though RFC 8259 asks them not to. */
const byteOrderMark = '\uFEFF';

/** The document in the bytes, whose text is not judged yet. Throws malformed_json. */
export function parseJson(bytes: Buffer): unknown {
  try {
    if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
    const text = bytes.toString('utf8');
    return JSON.parse(text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text);
  } catch {
    throw new DomainError('malformed_json');
  }
}
