/** Passwords as argon2id in PHC form, computed on libuv's threads and never on the event loop. */
import { hash, verify } from '@node-rs/argon2';
import { type KnownLogin, PasswordQueue } from './password-queue.js';

/** One per process, like the threads that it protects. */
const queue = new PasswordQueue();

/** The library's default algorithm is argon2id; `memoryCost` is in KiB. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a discarded random password: an unknown account takes as long to check as a wrong password. */
const decoy = '$argon2id$v=19$m=19456,p=1,t=2$E48YTrzs5MwLddomXilFnQ$YMStbeS+uPFkntu1b+7IwcuUSKMOci0DO8HJtWJ0ssw';

/** Throws overloaded. */
export const hashPassword = (password: string): Promise<string> => queue.run(() => hash(password, options));

/**
 * Returns false for an account without a password, after the same time as a check. `login`: a known one goes before others.
 * Throws overloaded.
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
  login: KnownLogin | null = null,
): Promise<boolean> {
  const matches = await queue.run(() => verify(stored ?? decoy, password), login);
  return stored !== null && matches;
}
