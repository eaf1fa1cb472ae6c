/**
 * Nonces of sign-ins at an identity provider that count at one daemon alone. The provider signs the nonce, so a daemon that
 * passes code, code verifier and nonce on to another one has them refused there.
 */
import { createHash } from 'node:crypto';

const mark = 'earshot.';

/** True for a nonce that counts only together with the address of a daemon. */
export const isBoundNonce = (nonce: unknown): boolean => typeof nonce === 'string' && nonce.startsWith(mark);

/**
 * Returns what the provider gets as nonce.
 *
 * @param daemonUrl address at which the program reaches the daemon; its origin counts
 */
export const boundNonce = (secret: string, daemonUrl: string): string =>
  mark +
  createHash('sha256')
    .update(`${secret}\n${new URL(daemonUrl).origin}`)
    .digest('base64url');
