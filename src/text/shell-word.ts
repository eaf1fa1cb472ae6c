/** A word as a shell reads it, for commands that are printed to be copied. */
import { harmless } from './printable.js';

const plain = /^[\w@%+=:,./-]+$/;

export const shellWord = (text: string): string =>
  plain.test(text) ? text : `'${harmless(text).replaceAll("'", "'\\''")}'`;
