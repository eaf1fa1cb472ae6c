/**
 * The part of a billing system that Earshot needs: the secret that signs ingested events. Without an external system, a
 * register in the database.
 */

import type { Transaction } from '../../../platform/database/database.js';
import { randomText } from '../../../platform/secrets/random.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SettingsStore } from './store.js';

const secretBytes = 32;

export interface Billing {
  /** Opens the account of a new project, where Earshot keeps the accounts. */
  open(tx: Transaction, billingProjectId: string): Promise<void>;
  /** The project secret, 64 hex digits, or null when the billing system has none. Throws billing_unavailable. */
  secretOf(billingProjectId: string): Promise<string | null>;
  /** The secret that replaces `current`. Throws no_secret_found, secret_unchanged, billing_unavailable. */
  next(billingProjectId: string, current: string | null): Promise<NextSecret>;
}

export interface NextSecret {
  readonly secret: string;
  /** Stores it, where Earshot keeps the accounts. */
  store(tx: Transaction): Promise<void>;
}

export class LocalBilling implements Billing {
  constructor(
    private readonly settings: SettingsStore,
    private readonly box: SecretBox,
    private readonly now: Clock,
  ) {}

  /** With a fresh secret. */
  async open(tx: Transaction, billingProjectId: string): Promise<void> {
    const secret = this.box.seal(randomText(secretBytes, 'hex'), `billing:${billingProjectId}`);
    await this.settings.insertBillingAccount(tx, { billingProjectId, secret, createdAt: this.now() });
  }

  async next(billingProjectId: string): Promise<NextSecret> {
    const secret = randomText(secretBytes, 'hex');
    const sealed = this.box.seal(secret, `billing:${billingProjectId}`);
    return { secret, store: (tx) => this.settings.setBillingSecret(tx, billingProjectId, sealed, this.now()) };
  }

  async secretOf(billingProjectId: string): Promise<string | null> {
    const account = await this.settings.billingAccount(billingProjectId);
    return account === null ? null : this.box.open(account.secret, `billing:${billingProjectId}`);
  }
}
