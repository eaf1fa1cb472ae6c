/** Passwords as argon2id, computed on libuv's threads and never on the event loop. */
import argon2 from 'argon2';

const options = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Of a random password that was thrown away: an unknown account costs as much time as a wrong password. */
const decoy = '$argon2id$v=19$m=19456,p=1,t=2$E48YTrzs5MwLddomXilFnQ$YMStbeS+uPFkntu1b+7IwcuUSKMOci0DO8HJtWJ0ssw';

export const hashPassword = (password: string): Promise<string> => argon2.hash(password, options);

/** false for an account without a password, after the time that a check takes. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  const matches = await argon2.verify(hash ?? decoy, password);
  return hash !== null && matches;
}
