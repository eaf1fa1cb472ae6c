/** A request that this runtime cannot make, so that nothing was sent: a line break in a token, or an option that it lacks. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest';
  /** @param headers their values are left out of the message, because credentials are among them */
  constructor(url: URL, headers: Readonly<Record<string, string>>, cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause);
    const why = Object.values(headers)
      .filter((value) => value !== '')
      .reduce((text, value) => text.replaceAll(value, '…'), said);
    super(`The request to ${url.origin} cannot be made: ${why}`);
  }
}
