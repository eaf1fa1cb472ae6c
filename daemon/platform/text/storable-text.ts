/** Text that every database can hold: PostgreSQL stores neither NUL nor half of a UTF-16 surrogate pair. */
import { DomainError } from '../../../src/contract/errors.js';

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

export const unstorable = (path: string): DomainError =>
  new DomainError('text_not_allowed', { details: [{ path, message: 'contains NUL or a lone surrogate' }] });

/** Throws text_not_allowed, naming the place. */
export function refuseUnstorable(text: string, path: string): void {
  if (!isStorable(text)) throw unstorable(path);
}
