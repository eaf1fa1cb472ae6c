/** What the operator wants cannot be; the message says how it can. Told as it is, without a stack. */
export class Refused extends Error {
  override name = 'Refused';
}
