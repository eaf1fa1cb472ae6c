/**
 * The operator's own billing system, over HTTP. Choice: `GET {address}/projects/{billingProjectId}/secret` with a
 * bearer token answers `{secret}`, or 404 where there is none. The operator sets the address, so it may be an internal
 * one.
 */
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Billing, NextSecret } from './billing.js';

const SecretAnswer = z.object({ secret: z.string().regex(/^[0-9a-f]{64}$/i) });

const timeoutMs = 5_000;
const answerBytesMax = 4_096;

export class HttpBilling implements Billing {
  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly log: Logger,
  ) {}

  /** Accounts are created in the billing system itself. */
  async open(): Promise<void> {}

  /** The billing system makes the secrets. */
  async next(billingProjectId: string, current: string | null): Promise<NextSecret> {
    const secret = await this.secretOf(billingProjectId);
    if (secret === null) throw new DomainError('no_secret_found');
    if (secret === current) throw new DomainError('secret_unchanged');
    return { secret, store: async () => {} };
  }

  async secretOf(billingProjectId: string): Promise<string | null> {
    const url = `${this.address.replace(/\/$/, '')}/projects/${encodeURIComponent(billingProjectId)}/secret`;
    try {
      const response = await fetch(url, {
        headers: { Accept: 'application/json', Authorization: `Bearer ${this.token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status === 404) return null;
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      const text = await response.text();
      if (text.length > answerBytesMax) throw new Error('its answer is too large');
      return SecretAnswer.parse(JSON.parse(text)).secret;
    } catch (error) {
      // Log only the kind of error: a parser quotes what it read, which may be a secret.
      const reason = error instanceof z.ZodError || error instanceof SyntaxError ? 'its answer is not valid' : error;
      this.log.warn({ err: reason, url }, 'the billing system cannot be used; check EARSHOT_BILLING_URL');
      throw new DomainError('billing_unavailable');
    }
  }
}
