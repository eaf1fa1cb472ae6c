/** The operator asked for something that is not possible; the message says what to do. Printed without a stack. */
export class Refused extends Error {
  override name = 'Refused';
}
