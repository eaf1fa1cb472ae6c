/**
 * Records calls in the audit log. The entry is stored in the first transaction of the call, so that no change is
 * committed without it; where the call has none, before the answer. A streamed answer is recorded before its first
 * byte.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEntry } from '../../../src/contract/audit/audit.js';
import { recordedAnswers } from '../../../src/contract/audit/coverage.js';
import { DomainError } from '../../../src/contract/errors.js';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { outside, within } from '../../platform/database/request-record.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import type { RouteAnswer } from '../../platform/http/arrived.js';
import {
  type AuditedCall,
  type AuditTrail,
  type CallFindings,
  type FoundChange,
  type SigningIn,
  whileFinding,
} from '../../platform/http/audit-trail.js';
import type { Caller } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Clock } from '../../platform/time/clock.js';
import { RefusedLogins } from './refused-logins.js';
import type { AuditStore } from './store.js';
import { type ActionTarget, changedFields, isSame, personIds, targetsOf } from './targets.js';

/** Fields of an entry that are known before the result of the call. */
export type EntryDraft = Omit<AuditEntry, 'id' | 'at' | 'outcome' | 'targets'>;

/** Something that is being done. */
export interface RecordedAction {
  /** null: the call of somebody who is not recorded. Asked again at each transaction, because a login knows its account late. */
  draft(): EntryDraft | null;
  /** Returns the things that were acted on, as far as the result names them. */
  targets(result: unknown): ActionTarget[];
  /** The tenant, where only the result of the transaction names it. */
  readonly tenantIn?: (result: unknown) => string | null;
  /** Changes by the same call in other places, each with an entry there. */
  readonly elsewhere?: () => readonly { readonly draft: EntryDraft; readonly targets: readonly ActionTarget[] }[];
}

interface StatedAction {
  readonly id: string;
  readonly result: unknown;
  readonly outcome: AuditEntry['outcome'];
  readonly at?: Date;
}

/**
 * A refused login is stored this long after its answer, so that the time of the answer does not tell whether the
 * account exists.
 */
const refusalWaitMs = 100;

interface AuditRecorderNeeds {
  readonly database: Database;
  readonly store: AuditStore;
  readonly log: EventLog;
  readonly now: Clock;
  readonly logger: Logger;
}

export class AuditRecorder implements AuditTrail {
  private readonly refused: RefusedLogins;
  private readonly refusals = new Set<Promise<void>>();

  constructor(private readonly needs: AuditRecorderNeeds) {
    this.refused = new RefusedLogins(needs.now);
  }

  async during(call: AuditedCall, handle: () => Promise<RouteAnswer>): Promise<RouteAnswer> {
    const { route } = call;
    const found: CallFindings = { account: null, changes: new Map() };
    const recorded = recordedAs(call, found);
    const isStream = route.method === 'get' && route.success.contentType !== undefined;
    const isMeant = recordedAnswers(route);
    if (isMeant !== null) {
      const answer = await handle();
      return isMeant(answer.body)
        ? this.record(recorded, async () => answer, { resultOf: ({ body }) => body })
        : answer;
    }
    const run = () => this.record(recorded, handle, { isStream, resultOf: ({ body }) => body });
    if (call.project !== undefined) return run();
    const done = whileFinding(found, run);
    if (route.auth.length > 0) return done;
    return done.catch((error: unknown) => {
      const isRefused = error instanceof DomainError && error.status === 401;
      const { account } = found;
      found.changes.clear(); // they were not made
      if (isRefused && account !== null && this.refused.mayRecord(account)) this.recordRefusal(recorded);
      throw error;
    });
  }

  /** Resolves when all refusals are stored. */
  async stop(): Promise<void> {
    await Promise.all(this.refusals);
  }

  /** Runs `work` and records it. `resultOf`: what the targets are read from. */
  async record<T>(
    recorded: RecordedAction,
    work: () => Promise<T>,
    { isStream = false, resultOf = (done) => done }: { isStream?: boolean; resultOf?: (done: T) => unknown } = {},
  ): Promise<T> {
    let id = '';
    let storing = 0;
    let stored: AuditEntry | null = null;
    const note = async (tx: Transaction, result: unknown): Promise<void> => {
      if (stored !== null) return;
      // Of now, because the transaction may have waited for a move: what it did is about who has the ids since. Transactions
      // of the call at the same time have one id, so that they cannot both store the entry.
      if (storing === 0) id = uuidv7();
      storing += 1;
      this.needs.database.atEnd(tx, () => {
        storing -= 1;
      });
      const entry = await this.storeIn(tx, recorded, { id, result, outcome: 'done' });
      this.needs.database.afterCommit(tx, () => {
        stored = entry;
      });
    };
    if (isStream) await outside(() => this.needs.database.transaction((tx) => note(tx, null)));
    const done = await within(note, work).catch(async (error: unknown) => {
      if (stored !== null) await outside(() => this.needs.database.transaction((tx) => this.needs.store.fail(tx, id)));
      throw error;
    });
    const result = resultOf(done);
    if (stored === null) await outside(() => this.needs.database.transaction((tx) => note(tx, result)));
    else await this.complete(stored, recorded, result);
    return done;
  }

  /**
   * Some results say more than the transaction did. The change is made and recorded already, so an error here is only
   * logged.
   */
  private async complete(entry: AuditEntry, recorded: RecordedAction, result: unknown): Promise<void> {
    const more = recorded.targets(result).filter((target) => !entry.targets.some((one) => isSame(one, target)));
    if (more.length === 0) return;
    try {
      await outside(() =>
        this.needs.database.transaction(async (tx) =>
          this.needs.store.addTargets(tx, entry, await this.named(tx, more)),
        ),
      );
    } catch (error) {
      this.needs.logger.error({ err: error, entry: entry.id }, 'an entry of the audit log lacks some of its targets');
    }
  }

  private recordRefusal(recorded: RecordedAction): void {
    const stated: StatedAction = { id: uuidv7(), result: null, outcome: 'refused', at: this.needs.now() };
    const refusal: Promise<void> = outside(async () => {
      await sleep(refusalWaitMs);
      await this.needs.database.transaction((tx) => this.storeIn(tx, recorded, stated));
    })
      .catch((error: unknown) => this.needs.logger.error({ err: error }, 'a refused login could not be recorded'))
      .finally(() => this.refusals.delete(refusal));
    this.refusals.add(refusal);
  }

  /** Announced to those who may follow the whole tenant. */
  private async storeIn(
    tx: Transaction,
    recorded: RecordedAction,
    { id, result, outcome, at = this.needs.now() }: StatedAction,
  ): Promise<AuditEntry | null> {
    const draft = recorded.draft();
    if (draft === null) return null;
    const tenantId = draft.tenantId ?? recorded.tenantIn?.(result) ?? null;
    const targets = await this.named(tx, recorded.targets(result));
    const entry: AuditEntry = { ...draft, tenantId, id, at: at.toISOString(), outcome, targets };
    await this.insert(tx, entry, at);
    for (const other of recorded.elsewhere?.() ?? []) {
      const stated = { id: uuidv7(), at: entry.at, outcome, targets: await this.named(tx, other.targets) };
      await this.insert(tx, { ...other.draft, ...stated }, at);
    }
    return entry;
  }

  private async insert(tx: Transaction, entry: AuditEntry, at: Date): Promise<void> {
    await this.needs.store.insert(tx, { ...entry, at });
    if (entry.tenantId !== null) await this.needs.log.append(tx, announced(entry, entry.tenantId));
  }

  private async named(tx: Transaction, targets: readonly ActionTarget[]): Promise<ActionTarget[]> {
    const named: ActionTarget[] = [];
    for (const target of targets)
      named.push(target.name === null ? { ...target, name: await this.needs.store.lastName(tx, target) } : target);
    return named;
  }
}

/**
 * Without targets that name people, and without the request id, which the client may choose: an erasure does not reach
 * the event.
 */
const announced = (entry: AuditEntry, tenantId: string): NewEvent => {
  const people = personIds(entry.targets);
  return {
    type: 'audit.recorded',
    tenantId,
    projectId: null,
    resourceId: `audit:${entry.id}`,
    action: 'occurred',
    data: { ...entry, requestId: null, targets: entry.targets.filter(({ id }) => !people.has(id)) },
  };
};

const { acceptInvitation } = accountRoutes;
const accepted = ({ id }: FoundChange): ActionTarget => ({ kind: 'project-user', id, name: null });

const placeOf = ({ route, project, address, requestId }: AuditedCall) => ({
  action: route.operationId,
  projectId: project?.projectId ?? null,
  address,
  requestId,
});

/** null: their calls are not recorded. The names of people are never stored. */
function actorOf(caller: Caller): EntryDraft['actor'] | null {
  const { kind, id } = caller;
  if (kind === 'moderator') return { kind: 'participant', id, name: null };
  return kind === 'user' || kind === 'apiKey' ? { kind, id, name: caller.name } : null;
}

function draftOf(call: AuditedCall): EntryDraft | null {
  const { caller, project } = call;
  const actor = actorOf(caller);
  if (actor === null || !('tenantId' in caller)) return null;
  return {
    ...placeOf(call),
    tenantId: project?.tenantId ?? caller.tenantId,
    actor,
    changed: call.route.method === 'get' ? askedFor(call.query) : changedFields(call.body),
  };
}

/** Options that a call was made with. */
const askedFor = (query: unknown): string[] =>
  Object.entries(query ?? {}).flatMap(([name, value]) => (value === true ? [name] : []));

const asAccount = (call: AuditedCall, { id, tenantId, email }: SigningIn): EntryDraft => ({
  ...placeOf(call),
  tenantId,
  actor: { kind: 'user', id, name: email },
  changed: [],
});

/**
 * A call that changes something of another tenant or project has its entry there. A sign-in has one where the account is, and
 * one in each project whose invitation it accepts.
 */
function recordedAs(call: AuditedCall, found: CallFindings): RecordedAction {
  const own = draftOf(call);
  const isOfCall = ({ tenantId }: FoundChange) =>
    found.account === null || (call.route === acceptInvitation && found.account.tenantId === tenantId);
  const changeOfCall = () => [...found.changes.values()].find(isOfCall);
  const placed = (draft: EntryDraft, { tenantId, projectId }: FoundChange) => ({ ...draft, tenantId, projectId });
  return {
    draft: () => {
      const draft = found.account === null ? own : asAccount(call, found.account);
      const change = changeOfCall();
      return draft === null || change === undefined ? draft : placed(draft, change);
    },
    targets: (result) => {
      const change = call.route === acceptInvitation ? changeOfCall() : undefined;
      return [...(change === undefined ? [] : [accepted(change)]), ...targetsOf(call, result)];
    },
    elsewhere: () => {
      const { account } = found;
      if (account === null) return [];
      const draft = { ...asAccount(call, account), action: acceptInvitation.operationId };
      const changes = [...found.changes.values()].filter((change) => !isOfCall(change));
      return changes.map((change) => ({ draft: placed(draft, change), targets: [accepted(change)] }));
    },
  };
}
