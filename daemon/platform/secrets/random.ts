/** Random text that nobody can guess, for passwords, tokens and keys. */
import { randomBytes } from 'node:crypto';

export const randomText = (bytes: number, encoding: 'hex' | 'base64url' = 'base64url'): string =>
  randomBytes(bytes).toString(encoding);
