/**
 * Reads the log on from the place of each project and judges what was said. Decisions and everything that they impose are
 * stored in the transaction that moves the place, so every effect is stored once, whichever daemon judges.
 */
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/database.js';
import { FairTurns } from '../../../platform/events/fair-turns.js';
import type { EventListener } from '../../../platform/events/follower.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ReadEvent } from '../../../platform/events/record.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { DecisionStore } from '../decisions/decision-store.js';
import { pollMs, sweepMs } from '../limits.js';
import type { RuleStore, WholeRule } from '../resource/rule-store.js';
import { eventsOf } from './decide.js';
import { type Draft, hears, type Judgement, messageIdOf } from './judgement.js';

interface Judging {
  readonly projectId: string;
  readonly tenantId: string;
  readonly revision: number;
  readonly rules: readonly WholeRule[];
  readonly types: ReadonlySet<string>;
  /** When the rules of the project were let go on; what was said before is not judged. */
  readonly resumedAt: Date;
  /** Where the stored place is. */
  stored: bigint;
  /** Up to here nothing is left to judge; what lies between is read again after a restart. */
  read: bigint;
  /** The stored place follows to the end of the log, even where nothing is decided. */
  follows: boolean;
}

interface JudgeNeeds {
  readonly rules: RuleStore;
  readonly decisions: DecisionStore;
  readonly judgement: Judgement;
  /** Those of these messages that are kept, with annotations. */
  messages(projectId: string, ids: readonly string[]): Promise<Message[]>;
}

export class RuleJudge {
  private projects = new Map<string, Judging>();
  private readonly dirty = new Set<string>();
  /** Could not be judged at first. */
  private readonly failed = new Set<string>();
  private readonly turns = new FairTurns();
  private work: Promise<void> = Promise.resolve();
  private busy = false;
  private isRefreshQueued = false;
  private readonly timers: NodeJS.Timeout[] = [];
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly needs: JudgeNeeds,
    private readonly logger: Logger,
    private readonly now: Clock,
    /** Called with each stored decision. */
    private readonly onDecided: (outcome: string, mode: string) => void,
  ) {}

  async start(follower: { onEvents(listener: EventListener): () => void }): Promise<void> {
    this.unsubscribe = follower.onEvents((events) => {
      for (const { event } of events)
        if (this.projects.get(event.projectId ?? '')?.types.has(event.type)) this.dirty.add(event.projectId ?? '');
      this.wake();
    });
    this.timers.push(
      setInterval(() => this.poll(), pollMs),
      setInterval(() => this.sweep(), sweepMs),
    );
    await this.refresh();
    this.sweep();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = null;
    for (const timer of this.timers) clearInterval(timer);
    await this.work;
  }

  /** Projects whose rules judge. */
  get size(): number {
    return this.projects.size;
  }

  /** A rule has changed. */
  changed(): void {
    if (this.isRefreshQueued) return;
    this.isRefreshQueued = true;
    this.queue(() => {
      this.isRefreshQueued = false;
      return this.refresh();
    });
  }

  private poll(): void {
    for (const id of this.failed) this.dirty.add(id);
    this.failed.clear();
    if (this.database.dialect === 'postgresql') this.changed(); // another daemon may have changed rules
    this.wake();
  }

  /** Every place moves on, so that it does not hold back the deletion of old events. */
  private sweep(): void {
    this.changed();
    this.queue(async () => {
      for (const one of this.projects.values()) {
        this.dirty.add(one.projectId);
        one.follows = true;
      }
      await this.drain();
    });
  }

  private wake(): void {
    if (this.busy || this.dirty.size === 0) return;
    this.busy = true;
    this.queue(async () => {
      this.busy = false;
      await this.drain();
    });
  }

  private queue(work: () => Promise<void>): void {
    if (this.unsubscribe === null) return;
    this.work = this.work
      .then(work)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'rules could not read the log; trying again'));
  }

  /** Rules are read again where they have changed. */
  private async refresh(): Promise<void> {
    const found = new Map<string, Judging>();
    for (const { state, position } of await this.needs.rules.judging()) {
      const { projectId, tenantId, revision, changedAt } = state;
      const known = this.projects.get(projectId);
      if (known !== undefined && known.revision === revision) {
        found.set(projectId, known);
        continue;
      }
      const rules = (await this.needs.rules.list(projectId)).filter(({ row }) => row.enabled);
      const types = new Set(rules.flatMap(({ definition }) => eventsOf(definition)));
      const place = { stored: position, read: position, follows: false };
      found.set(projectId, {
        projectId,
        tenantId,
        revision,
        rules,
        types,
        resumedAt: changedAt ?? new Date(0),
        ...place,
      });
      this.dirty.add(projectId);
    }
    this.projects = found;
    this.wake();
  }

  private async drain(): Promise<void> {
    const ids = [...this.dirty];
    this.dirty.clear();
    await Promise.all(
      ids.map(async (id) => {
        const one = this.projects.get(id);
        if (one === undefined) return;
        try {
          await this.turns.run(one.tenantId, () => this.advance(one));
        } catch (error) {
          this.failed.add(id);
          this.logger.warn({ err: error, projectId: id }, 'rules could not judge what was said; trying again');
        }
      }),
    );
    this.wake();
  }

  private async advance(one: Judging): Promise<void> {
    const to = await this.log.head();
    const { events, end } = await this.log.pages.read({
      parts: [{ kind: 'project', id: one.projectId }],
      filter: { hears: (type) => one.types.has(type), resources: [] },
      after: one.read,
      to,
    });
    if (!(await this.judge(one, events))) return this.begin(one);
    if (one.follows && end > one.stored && !(await this.store(one, [], end))) return this.begin(one);
    one.read = end;
    if (end < to) this.dirty.add(one.projectId);
    else one.follows = false;
  }

  /** false: the rules have changed, or another daemon has judged meanwhile. */
  private async judge(one: Judging, events: readonly ReadEvent[]): Promise<boolean> {
    const heard = events.filter((read) => one.rules.some((rule) => hears(rule, read)));
    const ids = heard.flatMap((read) => messageIdOf(read) ?? []);
    const kept = await this.needs.messages(one.projectId, ids);
    const said = kept.filter(({ timestamp }) => new Date(timestamp) > one.resumedAt);
    const messages = new Map(said.map((message) => [message.id, message]));
    let pending: Draft[] = [];
    for (const read of heard) {
      if (this.unsubscribe === null) return false; // the daemon stops
      const drafts = await this.needs.judgement.of(one.rules, read, messages.get(messageIdOf(read) ?? ''));
      pending.push(...drafts);
      // What is decided next depends on what a match does.
      if (!drafts.some(({ row }) => row.outcome === 'matched')) continue;
      if (!(await this.store(one, pending, read.position))) return false;
      pending = [];
    }
    const last = heard.at(-1);
    return pending.length === 0 || last === undefined || this.store(one, pending, last.position);
  }

  private async store(one: Judging, drafts: readonly Draft[], end: bigint): Promise<boolean> {
    const { rules, decisions } = this.needs;
    const { projectId, revision, stored } = one;
    const rows = await decisions.prepare(drafts.map(({ row }) => row));
    const imposed = drafts.flatMap(({ row, effects }) =>
      effects.sanctionIds.map((sanctionId) => ({ sanctionId, decisionId: row.id })),
    );
    const isStored = await this.database.transaction(async (tx) => {
      if (!(await rules.isAt(tx, projectId, revision))) return false;
      if (!(await rules.move(tx, projectId, { from: stored, to: end, at: this.now() }))) return false;
      await decisions.insert(tx, rows);
      await decisions.impose(tx, imposed);
      for (const { effects } of drafts) await effects.sanctions?.store(tx);
      await this.log.append(tx, ...drafts.flatMap(({ effects }) => effects.events));
      return true;
    });
    if (!isStored) return false;
    one.stored = end;
    if (end > one.read) one.read = end;
    for (const { row } of drafts) this.onDecided(row.outcome, row.mode);
    for (const { row, effects } of drafts)
      await effects.sanctions?.holds().catch((error: unknown) => {
        const about = { err: error, projectId, decisionId: row.id };
        this.logger.warn(about, 'the sanction of a rule is stored, and could not be carried out in its room at once');
      });
    return true;
  }

  /** Reads the rules and the place again. */
  private async begin({ projectId }: Judging): Promise<void> {
    this.projects.delete(projectId);
    this.changed();
  }
}
