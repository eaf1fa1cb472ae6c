/**
 * How often sign-ins may fail. Failures count per account and network together, so that nobody can lock others out of
 * their account. Two wider limits slow down distributed guessing: all failures of a network, and all failures of an
 * account. They do not apply to a network from which the account has signed in before.
 * Kept in this process; an address without an account counts like one with an account.
 */
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../../src/contract/errors.js';
import { atMost } from '../../../platform/collections/at-most.js';
import type { Clock } from '../../../platform/time/clock.js';

interface Rule {
  readonly failuresMax: number;
  readonly windowMs: number;
}

const here: Rule = { failuresMax: 10, windowMs: 60_000 };
const ofNetwork: Rule = { failuresMax: 60, windowMs: 60_000 };
const atAccount: Rule = { failuresMax: 100, windowMs: 600_000 };
/** Counters per rule, and accounts with known networks; the least used are forgotten first. */
const remembered = 100_000;
const networksPerAccountMax = 20;

interface Window {
  failures: number;
  readonly endsAtMs: number;
}

class Failures {
  private readonly windows = new LRUCache<string, Window>(atMost(remembered));

  constructor(
    private readonly rule: Rule,
    private readonly now: Clock,
  ) {}

  /** Throws rate_limited when there have been too many. */
  refuse(key: string): void {
    const { failures, endsAtMs } = this.window(key);
    if (failures < this.rule.failuresMax) return;
    throw new DomainError('rate_limited', { retryAfterSeconds: (endsAtMs - this.now().getTime()) / 1_000 });
  }

  /** Counts one; returns a function that takes it back. */
  count(key: string): () => void {
    const window = this.window(key);
    window.failures += 1;
    this.windows.set(key, window);
    return () => {
      window.failures -= 1;
    };
  }

  forget(key: string): void {
    this.windows.delete(key);
  }

  private window(key: string): Window {
    const nowMs = this.now().getTime();
    const window = this.windows.get(key);
    return window !== undefined && nowMs < window.endsAtMs
      ? window
      : { failures: 0, endsAtMs: nowMs + this.rule.windowMs };
  }
}

/** The credential was wrong. Other errors do not count against the caller. */
const isFailure = (error: unknown): boolean => error instanceof DomainError && error.status === 401;

export class LoginAttempts {
  private readonly here: Failures;
  private readonly ofNetwork: Failures;
  private readonly atAccount: Failures;
  private readonly known = new LRUCache<string, Set<string>>(atMost(remembered));

  constructor(now: Clock) {
    this.here = new Failures(here, now);
    this.ofNetwork = new Failures(ofNetwork, now);
    this.atAccount = new Failures(atAccount, now);
  }

  /**
   * Makes one attempt. It counts as failed while it runs, so that parallel attempts are not more than sequential ones.
   * `account`: what is tried, such as an e-mail address; `network`: where it comes from. Throws rate_limited.
   */
  async make<Outcome>(account: string, network: string, attempt: () => Promise<Outcome>): Promise<Outcome> {
    const name = account.toLowerCase();
    const both = JSON.stringify([name, network]);
    this.here.refuse(both);
    if (!this.known.get(name)?.has(network)) {
      this.ofNetwork.refuse(network);
      this.atAccount.refuse(name);
    }
    const takeBack = [this.here.count(both), this.ofNetwork.count(network), this.atAccount.count(name)];
    try {
      const outcome = await attempt();
      for (const undo of takeBack) undo();
      this.here.forget(both);
      this.remember(name, network);
      return outcome;
    } catch (error) {
      if (!isFailure(error)) for (const undo of takeBack) undo();
      throw error;
    }
  }

  private remember(account: string, network: string): void {
    const networks = this.known.get(account) ?? new Set();
    networks.delete(network);
    networks.add(network);
    const [oldest] = networks;
    if (networks.size > networksPerAccountMax && oldest !== undefined) networks.delete(oldest);
    this.known.set(account, networks);
  }
}
