/**
 * How often sign-ins may fail, on all daemons of the database together. Failures count per account and network together,
 * so that nobody can lock others out of their account. Two wider limits slow down distributed guessing: all failures of a
 * network, and all failures of an account. They do not apply to a network from which the account has signed in before:
 * there every password is looked at, so that the right one is never refused. Where codes can be mailed, an account that is
 * guessed at asks for one instead of slowing down. An address without an account counts like one with an account. The windows
 * are rows, not WindowCounters, because all daemons count in them and a restart forgets none.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { GroupCommit } from '../../../platform/database/group-commit.js';
import { outside } from '../../../platform/database/request-record.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AttemptStore, FailureWindow } from './attempt-store.js';

interface AttemptRule {
  readonly failuresMax: number;
  readonly windowMs: number;
  /** Beyond the limit one attempt is allowed each, after a wait. */
  readonly slowMs: number;
}

const here: AttemptRule = { failuresMax: limits.login_failures.max.here, windowMs: 60_000, slowMs: 6_000 };
const ofNetwork: AttemptRule = { failuresMax: limits.login_failures.max.network, windowMs: 60_000, slowMs: 1_000 };
const atAccount: AttemptRule = { failuresMax: limits.login_failures.max.account, windowMs: 600_000, slowMs: 6_000 };
/** Longest wait of an attempt, and how many wait in this process. */
const waitMaxMs = 20_000;

interface LoginAttempt {
  readonly account: string;
  readonly network: string;
  /** Keys of the windows that it counts in. */
  readonly keys: { readonly here: string; readonly ofNetwork: string; readonly atAccount: string };
  readonly isAccount: boolean;
  readonly canAskCode: boolean;
}

/** Terms under which an attempt is made. */
export interface AttemptTerms {
  /** The account was signed in to from this network before. */
  readonly isKnown: boolean;
  /** The account is being guessed at: the password alone is not enough. */
  readonly needsCode: boolean;
}

interface AttemptOptions {
  readonly isAccount?: boolean;
  readonly canAskCode?: boolean;
  readonly overLimit?: DomainError | null;
  /** True if an attempt that succeeds counts as a failed one does. */
  readonly countsSuccess?: boolean;
}

interface Limits extends AttemptTerms {
  readonly waitMs: number;
  /** Time until a refused attempt, or one that fails beyond the limit of a known network, may be made again; 0: now. */
  readonly refusedMs: number;
}
/** Outcome of admission: the attempt may be made after a wait, or not for some time. */
type AttemptVerdict = (Limits & { readonly counted: readonly FailureWindow[] }) | { readonly refusedMs: number };

/** The credential was wrong. Other errors, such as a wrong client of the daemon itself, do not count against the caller. */
const isFailure = (error: unknown): boolean =>
  error instanceof DomainError && error.status === 401 && error.code !== 'identity_client_refused';

function refused(forMs: number, cause?: unknown): DomainError {
  countRefusal('login_failures');
  return new DomainError('rate_limited', { retryAfterSeconds: forMs / 1_000, cause });
}

const hash = (...parts: readonly string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export class LoginAttempts {
  private readonly admissions: GroupCommit<LoginAttempt, AttemptVerdict>;
  private readonly slowed = new ConcurrencyLimit('slowed_logins', {
    max: limits.slowed_logins.max,
    code: 'rate_limited',
  });

  constructor(
    private readonly database: Database,
    private readonly store: AttemptStore,
    private readonly now: Clock,
  ) {
    const flush = (asked: readonly LoginAttempt[]) => this.database.transaction((tx) => this.admit(tx, asked));
    this.admissions = new GroupCommit('login_queue', flush, { batchMax: 200 }, { shareOf: ({ network }) => network });
  }

  /**
   * Makes one attempt. It counts as failed while it runs, so that parallel attempts are not more than sequential ones.
   * `account`: what is tried, such as an e-mail address; `network`: where it comes from. `overLimit`: refusal of a request
   * beyond the limit of its address, which only a known network may exceed. Throws that, rate_limited, overloaded.
   */
  async make<Outcome>(
    account: string,
    network: string,
    attempt: (terms: AttemptTerms) => Promise<Outcome>,
    { isAccount = true, canAskCode = false, overLimit = null, countsSuccess = false }: AttemptOptions = {},
  ): Promise<Outcome> {
    const name = account.toLowerCase();
    const asked: LoginAttempt = {
      ...{ account: hash('account', name), network: hash('network', network) },
      ...{ isAccount, canAskCode },
      keys: {
        ...{ here: hash('here', name, network), ofNetwork: hash('of', network), atAccount: hash('at', name) },
      },
    };
    if (overLimit !== null && !(await this.store.isKnown(asked))) throw overLimit;
    const verdict = await this.admissions.submit(asked);
    if (!('counted' in verdict)) throw refused(verdict.refusedMs);
    try {
      await this.sitOut(verdict.waitMs);
      const outcome = await attempt(verdict);
      if (countsSuccess) return outcome;
      await this.settle(async (tx) => {
        await this.store.takeBack(tx, verdict.counted);
        await this.store.forget(tx, asked.keys.here);
        await this.store.remember(tx, asked, this.now());
      });
      return outcome;
    } catch (error) {
      if (!isFailure(error)) await this.settle((tx) => this.store.takeBack(tx, verdict.counted));
      else if (verdict.refusedMs > 0) throw refused(verdict.refusedMs, error);
      throw error;
    }
  }

  /** It belongs to no request: a login is recorded with its result. */
  private settle = (work: (tx: Transaction) => Promise<void>): Promise<void> =>
    outside(() => this.database.transaction(work));

  private async sitOut(waitMs: number): Promise<void> {
    if (waitMs <= 0) return;
    await this.slowed.run('', () => wait(waitMs), waitMs / 1_000);
  }

  /** Counts all of them, and takes back those that are refused. */
  private async admit(tx: Transaction, all: readonly LoginAttempt[]): Promise<AttemptVerdict[]> {
    const now = this.now();
    const known = await this.store.known(tx, [...new Set(all.map(({ account }) => account))]);
    const isKnown = new Set(known.map(({ account, network }) => `${account} ${network}`));
    const more = new Map<string, FailureWindow>();
    for (const { keys } of all)
      for (const [key, { windowMs }] of rulesOf(keys)) {
        const failures = (more.get(key)?.failures ?? 0) + 1;
        more.set(key, { key, failures, endsAt: new Date(now.getTime() + windowMs) });
      }
    const after = await this.store.count(tx, [...more.values()], now);
    /** Failures before each attempt, with those of this batch that were let through. */
    const before = new Map([...after].map(([key, { failures }]) => [key, failures - (more.get(key)?.failures ?? 0)]));
    const refused = new Map<string, FailureWindow>();
    const verdicts = all.map((asked): AttemptVerdict => {
      const windows = rulesOf(asked.keys).flatMap(([key]) => after.get(key) ?? []);
      const limits = this.limitsOf(asked, isKnown.has(`${asked.account} ${asked.network}`), before, after, now);
      const isRefused = limits.refusedMs > 0 && !limits.isKnown;
      for (const { key, endsAt } of windows)
        if (isRefused) refused.set(key, { key, endsAt, failures: (refused.get(key)?.failures ?? 0) + 1 });
        else before.set(key, (before.get(key) ?? 0) + 1);
      return isRefused
        ? { refusedMs: limits.refusedMs }
        : { ...limits, counted: windows.map(({ key, endsAt }) => ({ key, endsAt, failures: 1 })) };
    });
    await this.store.takeBack(tx, [...refused.values()]);
    return verdicts;
  }

  /** Returns how long the attempt waits or is refused, and whether it needs a code. */
  private limitsOf(
    { keys, isAccount, canAskCode }: LoginAttempt,
    isFromKnown: boolean,
    before: ReadonlyMap<string, number>,
    after: ReadonlyMap<string, FailureWindow>,
    now: Date,
  ): Limits {
    const isKnown = isFromKnown && isAccount;
    // No limit keeps a password of a known network from being looked at: `here` is told to those that are wrong.
    const asked = [
      { key: keys.here, rule: here, isSlow: false },
      ...(isFromKnown
        ? []
        : [
            { key: keys.ofNetwork, rule: ofNetwork, isSlow: false },
            { key: keys.atAccount, rule: atAccount, isSlow: isAccount },
          ]),
    ];
    let [waitMs, refusedMs, needsCode] = [0, 0, false];
    for (const { key, rule, isSlow } of asked) {
      const beyond = (before.get(key) ?? 0) + 1 - rule.failuresMax;
      if (beyond <= 0) continue;
      const endsAtMs = after.get(key)?.endsAt.getTime() ?? 0;
      // Beyond the limit, attempts are spread over the window from its beginning.
      const dueMs = endsAtMs - rule.windowMs + beyond * rule.slowMs - now.getTime();
      if (canAskCode && rule === atAccount) needsCode = true;
      else if (!isSlow) refusedMs = Math.max(refusedMs, endsAtMs - now.getTime());
      else if (dueMs > waitMaxMs) refusedMs = Math.max(refusedMs, dueMs - waitMaxMs);
      else waitMs = Math.max(waitMs, dueMs);
    }
    return { isKnown, needsCode, waitMs, refusedMs };
  }
}

const rulesOf = (keys: LoginAttempt['keys']): readonly (readonly [string, AttemptRule])[] => [
  [keys.here, here],
  [keys.ofNetwork, ofNetwork],
  [keys.atAccount, atAccount],
];
