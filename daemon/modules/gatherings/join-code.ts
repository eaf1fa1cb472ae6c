/** Join codes: 8 of 32 characters that nobody mixes up, so that guessing one of 10^12 is hopeless. */
import { randomBytes } from 'node:crypto';

/** Neither I and 1, nor O and 0. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** 32 divides 256, so every character is as likely as any other. */
export const makeJoinCode = (): string =>
  Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');

/** As it is stored: people write codes in any case, with hyphens or spaces. null: no code looks like this. */
export function readJoinCode(written: string): string | null {
  const code = written.replaceAll(/[-\s]/g, '').toUpperCase();
  return code.length === length && [...code].every((letter) => alphabet.includes(letter)) ? code : null;
}
