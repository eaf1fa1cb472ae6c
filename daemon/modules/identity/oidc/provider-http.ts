/**
 * Calls of the identity provider. The operator configures the issuer, so its own origin may be in any network; other
 * origins, which the provider's documents name, only where outbound calls may go. Redirects are not followed.
 */
import type { Outbound, OutboundAnswer } from '../../../platform/outbound/outbound.js';

interface ProviderRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST as a form; left out: the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
}

const timeoutMs = 5_000;
const maxBytes = 64 * 1024;

export class ProviderHttp {
  private readonly ownOrigin: string;

  constructor(
    private readonly outbound: Pick<Outbound, 'request'>,
    issuer: string,
  ) {
    this.ownOrigin = new URL(issuer).origin;
  }

  /** Throws BlockedAddress, TimedOut, AnswerTooLarge and network errors. */
  request(url: string, { headers = {}, form }: ProviderRequest = {}): Promise<OutboundAnswer> {
    const isOperators = new URL(url).origin === this.ownOrigin;
    const sending = {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        Accept: 'application/json',
        ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: form === undefined ? null : new URLSearchParams(form).toString(),
    };
    return this.outbound.request(url, sending, { maxBytes, timeoutMs, isOperators });
  }
}
