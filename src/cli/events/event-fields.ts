/** Checks fields that expectations name, because a misspelt one is never found: `--count 0` would then always hold. */
import { z } from 'zod';
import type { ErrorDetail } from '../../contract/errors.js';
import { DomainEvent, eventData, matchesPattern, ownEventTypes, RedactedData } from '../../contract/events.js';
import { unknownFields } from '../../contract/unknown-fields.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';
import type { Expectation } from './expectation.js';

/**
 * Refuses fields that no event of the expected types has, with the nearest. Data of platform services is not known here:
 * `--ingested` takes any field. Throws UsageError.
 */
export function refuseUnknownFields(
  expected: readonly Expectation[],
  { ingested }: { readonly ingested?: boolean | undefined },
): void {
  if (ingested === true) return;
  for (const { pattern, fields } of expected) {
    const data = ownEventTypes.filter((type) => matchesPattern(type, pattern)).map((type) => eventData[type]);
    for (const field of fields) {
      const wrong = problemOf(field, data);
      if (wrong !== null) throw new UsageError(`--expect, where ${harmless(field)}: ${harmless(wrong.message)}`);
    }
  }
}

/** Without what else remains: fields that the data had. */
const ownOfRedacted = z.object(RedactedData.shape);

/** Returns what is wrong with the field where none of the schemas has it; null: one has. */
function problemOf(field: string, data: readonly z.ZodType[]): ErrorDetail | null {
  const [first = '', ...others] = field.split('.');
  const isOfEnvelope = first === 'event';
  const path = isOfEnvelope || first === 'changes' ? others : [first, ...others];
  const schemas = isOfEnvelope ? [DomainEvent] : [...data, ownOfRedacted];
  const problems = schemas.map((schema) => unknownFields(schema, valueWith(path))[0] ?? null);
  return problems.includes(null) ? null : (problems[0] ?? null);
}

/** Returns an object that has nothing but the field; numbers name elements of lists. */
const valueWith = (path: readonly string[]): unknown =>
  path.reduceRight<unknown>((inner, name) => (/^\d+$/.test(name) ? [inner] : { [name]: inner }), '');
