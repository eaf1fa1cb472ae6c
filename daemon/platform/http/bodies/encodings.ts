/** The packings of a body that are read, by their names in Content-Encoding (RFC 9110, 8.4). */
import { DomainError } from '../../../../src/contract/errors.js';

const encodings = ['gzip', 'deflate', 'br'] as const;
export type Encoding = (typeof encodings)[number];

/** null: the body comes as it is. Throws unsupported_media_type. */
export function encodingOf(header: string | undefined): Encoding | null {
  const name = (header ?? 'identity').trim().toLowerCase();
  if (name === 'identity') return null;
  const known = encodings.find((encoding) => encoding === name);
  if (known !== undefined) return known;
  throw new DomainError('unsupported_media_type', {
    message: `Send the body as it is, or compressed with one of ${encodings.join(', ')}.`,
  });
}
