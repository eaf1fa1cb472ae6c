/**
 * Records what is done. The entry is stored in the first transaction of the call, so that no change is committed without
 * it; where the call has none, before it is answered. What leaves as a stream is recorded before its first byte.
 */
import { uuidv7 } from 'uuidv7';
import type { AuditEntry } from '../../../src/contract/audit/audit.js';
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { outside, within } from '../../platform/database/deed.js';
import type { EventLog, NewEvent } from '../../platform/events/log.js';
import { type AuditedCall, type AuditTrail, type SigningIn, whileSigningIn } from '../../platform/http/audit-trail.js';
import type { Answer } from '../../platform/http/bind.js';
import { RefusedLogins } from './refused-logins.js';
import type { AuditStore } from './store.js';
import { changedFields, type Target, targetsOf } from './targets.js';

/** The names of those who do something. */
export interface ActorNames {
  user(id: string): Promise<string | null>;
  apiKey(id: string): Promise<string | null>;
}

/** Everything of an entry but what the result of the deed says. */
export type Draft = Omit<AuditEntry, 'id' | 'at' | 'outcome' | 'targets'>;

/** Something that is being done. */
export interface Recorded {
  /** null: nobody whose deeds are recorded. Asked again at each transaction, because a login knows its account late. */
  draft(): Draft | null;
  /** What it was done to, as far as the result says so. */
  targets(result: unknown): Target[];
  /** The tenant, where only the result names it. */
  readonly tenantIn?: (result: unknown) => string | null;
}

export class AuditRecorder implements AuditTrail {
  private readonly refused: RefusedLogins;

  constructor(
    private readonly database: Database,
    private readonly store: AuditStore,
    private readonly log: EventLog,
    private readonly names: ActorNames,
    private readonly now: Clock,
  ) {
    this.refused = new RefusedLogins(now);
  }

  async during(call: AuditedCall, handle: () => Promise<Answer>): Promise<Answer> {
    const { route } = call;
    let account: SigningIn | null = null;
    const draft = await this.draftOf(call);
    const recorded: Recorded = {
      draft: () => (account === null ? draft : asAccount(call, account)),
      targets: (result) => targetsOf(call, result),
    };
    const isStream = route.method === 'get' && route.success.contentType !== undefined;
    const run = () => this.record(recorded, handle, { isStream, resultOf: ({ body }) => body });
    if (route.auth.length > 0) return run();
    return whileSigningIn((known) => {
      account = known;
    }, run).catch(async (error: unknown) => {
      if (account !== null && this.refused.mayRecord(account.id)) await this.storeNow(recorded, null, 'refused');
      throw error;
    });
  }

  /** Runs `work` and records it. `resultOf`: what the targets are read from. */
  async record<T>(
    recorded: Recorded,
    work: () => Promise<T>,
    { isStream = false, resultOf = (done) => done }: { isStream?: boolean; resultOf?: (done: T) => unknown } = {},
  ): Promise<T> {
    let stored: AuditEntry | null = null;
    const note = async (tx: Transaction, result: unknown): Promise<void> => {
      if (stored !== null) return;
      const entry = await this.storeIn(tx, recorded, result, 'done');
      this.database.afterCommit(tx, () => {
        stored = entry;
      });
    };
    if (isStream) await outside(() => this.database.transaction((tx) => note(tx, null)));
    try {
      const done = await within({ note }, work);
      const result = resultOf(done);
      if (stored === null) await outside(() => this.database.transaction((tx) => note(tx, result)));
      else await this.complete(stored, recorded, result);
      return done;
    } catch (error) {
      const { id } = (stored as AuditEntry | null) ?? {};
      if (id !== undefined) await outside(() => this.database.transaction((tx) => this.store.fail(tx, id)));
      throw error;
    }
  }

  /** Some results say more than the transaction did. */
  private async complete(entry: AuditEntry, recorded: Recorded, result: unknown): Promise<void> {
    const targets = recorded.targets(result);
    const tenantId = entry.tenantId ?? recorded.tenantIn?.(result) ?? null;
    const isKnown = targets.every(({ id }) => entry.targets.some((one) => one.id === id));
    if (isKnown && tenantId === entry.tenantId) return;
    await outside(() => this.database.transaction((tx) => this.store.complete(tx, { ...entry, tenantId }, targets)));
  }

  private async storeNow(recorded: Recorded, result: unknown, outcome: AuditEntry['outcome']): Promise<void> {
    await outside(() => this.database.transaction((tx) => this.storeIn(tx, recorded, result, outcome)));
  }

  /** Announced to those who may follow the whole tenant; people are left out, because an erasure must reach them. */
  private async storeIn(
    tx: Transaction,
    recorded: Recorded,
    result: unknown,
    outcome: AuditEntry['outcome'],
  ): Promise<AuditEntry | null> {
    const draft = recorded.draft();
    if (draft === null) return null;
    const targets: Target[] = [];
    for (const target of recorded.targets(result))
      targets.push(target.name === null ? { ...target, name: await this.store.lastName(tx, target) } : target);
    const at = this.now();
    const entry: AuditEntry = { ...draft, id: uuidv7(), at: at.toISOString(), outcome, targets };
    await this.store.insert(tx, { ...entry, at });
    if (entry.tenantId !== null) await this.log.append(tx, announced(entry, entry.tenantId));
    return entry;
  }

  private async draftOf(call: AuditedCall): Promise<Draft | null> {
    const { caller, project } = call;
    if (caller.kind !== 'user' && caller.kind !== 'apiKey') return null;
    const { kind, id } = caller;
    const name = await this.names[kind](id);
    return {
      ...placeOf(call),
      tenantId: project?.tenantId ?? caller.tenantId,
      actor: { kind, id, name },
      changed: call.route.method === 'get' ? [] : changedFields(call.body),
    };
  }
}

const announced = (entry: AuditEntry, tenantId: string): NewEvent => ({
  ...{ type: 'audit.recorded', tenantId, projectId: null, resourceId: `audit:${entry.id}`, action: 'occurred' },
  data: { ...entry, targets: entry.targets.filter(({ kind }) => kind !== 'person') },
});

const placeOf = ({ route, project, address, requestId }: AuditedCall) => ({
  ...{ action: route.operationId, projectId: project?.projectId ?? null, address, requestId },
});

const asAccount = (call: AuditedCall, { id, tenantId, email }: SigningIn): Draft => ({
  ...placeOf(call),
  ...{ tenantId, actor: { kind: 'user', id, name: email }, changed: [] },
});
