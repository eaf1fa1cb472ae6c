/**
 * How an API key is written: `earshot_live_`, 40 base62 characters, 6 of checksum; 59 in all. The checksum refuses
 * typing errors before any look-up; only the key's SHA-256 is kept.
 */
import { hash, randomInt } from 'node:crypto';

const prefix = 'earshot_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 40;
const checksumLength = 6;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);
/** Characters kept in clear, so that people can recognise a key. */
const shownLength = prefix.length + 6;

function checksum(text: string): string {
  let number = hash('sha256', text, 'buffer').readUIntBE(0, 6);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits += alphabet.charAt(number % alphabet.length);
    number = Math.floor(number / alphabet.length);
  }
  return digits;
}

export function generateKey(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return `${prefix}${secret}${checksum(prefix + secret)}`;
}

export const isWellFormedKey = (key: string): boolean =>
  shape.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength);

export const keyHash = (key: string): string => hash('sha256', key, 'hex');
export const shownPrefix = (key: string): string => key.slice(0, shownLength);
