/** Join codes: 8 of 32 characters that are not easily confused; among 10^12 codes, guessing one is hopeless. */
import { randomBytes } from 'node:crypto';

/** Neither I and 1, nor O and 0. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** 32 divides 256, so every character is as likely as any other. */
export const makeJoinCode = (): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

/** The stored form: people type codes in any case, with hyphens or spaces. null: not the form of a code. */
export function readJoinCode(written: string): string | null {
  const code = written.replaceAll(/[-\s]/g, '').toUpperCase();
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : null;
}
