/** Passwords as argon2id, computed on libuv's threads and never on the event loop. */
import argon2 from 'argon2';

const options = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that no password has: an unknown account costs as much time as a wrong password. */
let decoy: Promise<string> | null = null;

export const hashPassword = (password: string): Promise<string> => argon2.hash(password, options);

/** false for an account without a password, after the time that a check takes. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password');
  const matches = await argon2.verify(hash ?? (await decoy), password);
  return hash !== null && matches;
}
