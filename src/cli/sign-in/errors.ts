/** Nobody was signed in at the identity provider; the message says why. */
export class SignInFailed extends Error {
  override name = 'SignInFailed';
}
