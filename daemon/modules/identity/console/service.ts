/**
 * Sessions of the console. All user tokens of a session have the session's id as theirs, so revoking it ends them and their
 * streams like any logout. A cookie that comes again after it was replaced is taken for stolen and ends the session (RFC 9700,
 * section 4.14.2); for a moment it is not, because tabs renew at the same time and answers are lost.
 */

import { DomainError } from '../../../../src/contract/errors.js';
import {
  type ConsoleLogin,
  type ConsoleSession,
  consoleSessionsMax,
} from '../../../../src/contract/identity/console-sessions.js';
import type { Database } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/errors.js';
import { signsInTo } from '../../../platform/http/audit-trail.js';
import type { UserCaller } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import { type Account, type AccountStore, toProfile } from '../accounts/store.js';
import { isOfGeneration, roleIn, type UserTokens, userTokenLifetimeSeconds } from '../accounts/user-tokens.js';
import type { CookieParts } from './cookie.js';
import { endLogin } from './end-login.js';
import { type ConsoleSessionRow, type ConsoleSessionStore, consoleTokenSeconds } from './store.js';

/** A session that nobody uses ends after this time. */
const idleMs = 12 * 3_600_000;
const sessionMs = 7 * 24 * 3_600_000;
/** A login that an identity provider confirmed is confirmed there again after this time, as with `refreshToken`. */
const confirmedMs = userTokenLifetimeSeconds * 1_000;
const graceMs = 30_000;
const deviceMax = 200;

/** From where a browser asks. */
export interface Visit {
  readonly device: string;
  readonly network: string;
}

export interface Opened {
  readonly login: ConsoleLogin;
  readonly cookie: CookieParts;
  readonly maxAgeSeconds: number;
}

interface ConsoleSessionNeeds {
  readonly database: Database;
  readonly accounts: AccountStore;
  readonly sessions: ConsoleSessionStore;
  readonly tokens: UserTokens;
  readonly logger: Logger;
  readonly now: Clock;
}

export class ConsoleSessionService {
  constructor(private readonly needs: ConsoleSessionNeeds) {}

  /** Opens a session in place of the caller's token. */
  async create(caller: UserCaller, visit: Visit): Promise<Opened> {
    const { database, accounts } = this.needs;
    const account = await accounts.byId(caller.id);
    if (account === null || !isOfGeneration(caller, account)) throw new DomainError('credential_invalid');
    const opened = await this.open(account, caller.confirmedAt, visit);
    await database.transaction((tx) => endLogin(tx, this.needs, caller, this.needs.now()));
    return opened;
  }

  /** Throws console_session_invalid, console_session_reused. */
  async renew(cookie: CookieParts | null, network: string): Promise<Opened> {
    const { database, accounts, sessions, now } = this.needs;
    const found = cookie === null ? null : await sessions.byId(cookie.id);
    const account = found === null ? null : await accounts.byId(found.userId);
    if (cookie === null || found === null || account === null || !this.isOpen(found, account))
      throw new DomainError('console_session_invalid');
    const at = now();
    const used = { rotatedAt: at, lastUsedAt: at, expiresAt: endOf(found, at), network };
    const isFirst =
      cookie.generation === found.generation &&
      (await database.transaction((tx) => sessions.rotate(tx, found.id, found.generation, used)));
    const row = isFirst ? { ...found, ...used, generation: found.generation + 1 } : await sessions.byId(found.id);
    if (row === null) throw new DomainError('console_session_invalid');
    const isLate = cookie.generation + 1 !== row.generation || at.getTime() - row.rotatedAt.getTime() > graceMs;
    if (!isFirst && isLate) {
      await this.end(row.id, row.userId);
      this.needs.logger.warn({ userId: row.userId, network }, 'a used cookie of the console came again');
      throw new DomainError('console_session_reused');
    }
    return this.answer(row, account);
  }

  /** Newest first. */
  async list(caller: UserCaller): Promise<ConsoleSession[]> {
    const rows = await this.needs.sessions.ofUser(caller.id);
    return rows
      .filter(({ expiresAt }) => expiresAt > this.needs.now())
      .map((row) => toSession(row, caller.credentialId));
  }

  /** Throws console_session_not_found. */
  async revoke(caller: UserCaller, id: string): Promise<void> {
    if (!(await this.end(id, caller.id))) throw new DomainError('console_session_not_found');
  }

  async createCode(caller: UserCaller): Promise<{ code: string; expiresAt: string }> {
    const { code, expiresAt } = await this.needs.tokens.issueCode(caller);
    return { code, expiresAt: expiresAt.toISOString() };
  }

  /** Throws console_code_invalid. */
  async redeemCode(code: string, visit: Visit): Promise<Opened> {
    const { database, accounts, tokens, logger } = this.needs;
    const invalid = new DomainError('console_code_invalid');
    const caller = await tokens.verifyCode(code);
    const account = caller === null ? null : await accounts.byId(caller.id);
    if (caller === null || account === null || !isOfGeneration(caller, account)) throw invalid;
    signsInTo(account);
    try {
      await database.transaction((tx) => accounts.useUp(tx, caller.credentialId, caller.expiresAt));
    } catch (error) {
      throw isUniqueViolation(error) ? invalid : error; // used by somebody else at the same time
    }
    logger.info({ userId: account.id, network: visit.network }, 'signed in');
    return this.open(account, caller.confirmedAt, visit);
  }

  private async open(account: Account, confirmedAt: Date | null, { device, network }: Visit): Promise<Opened> {
    const { database, sessions, now } = this.needs;
    const at = now();
    const times = { rotatedAt: at, createdAt: at, lastUsedAt: at, confirmedAt };
    const row = {
      ...{ id: uuidv7(), userId: account.id, generation: 1, ...times, expiresAt: endOf(times, at) },
      ...{ device: device.slice(0, deviceMax), network },
    };
    const others = await sessions.ofUser(account.id);
    await database.transaction(async (tx) => {
      if (!(await this.needs.accounts.isStill(tx, account))) throw new DomainError('credential_invalid');
      await sessions.insert(tx, row);
    });
    for (const { id } of others.slice(consoleSessionsMax - 1)) await this.end(id, account.id);
    return this.answer(row, account);
  }

  private async answer(row: ConsoleSessionRow, account: Account): Promise<Opened> {
    const expiresIn = consoleTokenSeconds;
    const user = toProfile({ ...account, role: roleIn(row, account) });
    const accessToken = await this.needs.tokens.issue(account, row.confirmedAt, { jti: row.id, seconds: expiresIn });
    return {
      login: { accessToken, tokenType: 'Bearer', expiresIn, user, session: toSession(row, row.id) },
      cookie: { id: row.id, generation: row.generation },
      maxAgeSeconds: Math.ceil((row.expiresAt.getTime() - this.needs.now().getTime()) / 1_000),
    };
  }

  /** The sessions of an account are deleted with everything that ends its logins. */
  private isOpen({ expiresAt }: ConsoleSessionRow, { disabledAt }: Account): boolean {
    return expiresAt > this.needs.now() && disabledAt === null;
  }

  /** False: there is none, or it is somebody else's. */
  private end(id: string, userId: string): Promise<boolean> {
    const tokensEndAt = new Date(this.needs.now().getTime() + consoleTokenSeconds * 1_000);
    return this.needs.database.transaction(async (tx) => {
      if (!(await this.needs.sessions.delete(tx, id, userId))) return false;
      await this.needs.accounts.revoke(tx, id, tokensEndAt);
      return true;
    });
  }
}

/** When a session ends that is used now and not again. */
function endOf({ createdAt, confirmedAt }: Pick<ConsoleSessionRow, 'createdAt' | 'confirmedAt'>, at: Date): Date {
  const last = confirmedAt === null ? createdAt.getTime() + sessionMs : confirmedAt.getTime() + confirmedMs;
  return new Date(Math.min(last, at.getTime() + idleMs));
}

const toSession = (
  { id, device, network, createdAt, lastUsedAt, expiresAt }: ConsoleSessionRow,
  currentId: string,
): ConsoleSession => ({
  ...{ id, device, network, current: id === currentId },
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});
