/** NUL and lone surrogates cannot be stored by every database alike, so they stop at the border (contract, general). */
import { DomainError } from '../../src/contract/errors.js';

/** Deepest nesting of a body. */
const depthMax = 40;

/** Throws `text_not_allowed`, naming the place, or `validation_failed` when the value is nested too deeply. */
export function refuseUnusableText(value: unknown, path: string, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw new DomainError('text_not_allowed', { details: [{ path, message: 'holds NUL or a lone surrogate' }] });
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= depthMax) {
    throw new DomainError('validation_failed', {
      details: [{ path, message: `is nested more than ${depthMax} deep` }],
    });
  }
  for (const [name, item] of Object.entries(value)) {
    refuseUnusableText(name, path, depth);
    refuseUnusableText(item, `${path}.${name}`, depth + 1);
  }
}
