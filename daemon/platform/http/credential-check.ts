/**
 * Asks again whether the caller may make the call, where time has passed since it was asked: a right that was taken away
 * works no more for requests that had begun.
 */

/** A request that goes through without a wait asks once. */
const freshMs = 100;

export class CredentialCheck {
  private askedAtMs = performance.now();

  /** @param ask throws where the credential is not valid any more, or does not open the call */
  constructor(private readonly ask: () => Promise<void>) {}

  /** Asks where the last answer is older than a moment. */
  async confirm(): Promise<void> {
    if (performance.now() - this.askedAtMs >= freshMs) await this.again();
  }

  async again(): Promise<void> {
    const askedAtMs = performance.now();
    await this.ask();
    this.askedAtMs = askedAtMs;
  }
}
