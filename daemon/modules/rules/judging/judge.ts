/**
 * Reads the log from the stored position of each project and judges messages. Decisions and their effects are stored in
 * the transaction that moves the position, so every effect is stored once, whichever daemon judges.
 */
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import {
  type HeardPage,
  type LogReader,
  LogReaders,
  readerAt,
  type Taken,
} from '../../../platform/events/log-readers.js';
import type { ReadEvent } from '../../../platform/events/record.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import type { DecisionStore } from '../decisions/decision-store.js';
import type { RuleStore, WholeRule } from '../resource/rule-store.js';
import { eventsOf } from './decide.js';
import { type DecisionDraft, hears, type Judgement, messageIdOf } from './judgement.js';
import { PhraseCache } from './phrase-cache.js';

/** A project whose rules judge; its id is the id of the project. */
interface Judging extends LogReader {
  readonly revision: number;
  readonly rules: readonly WholeRule[];
  /** When the rules of the project were last resumed; what was said before is not judged. */
  readonly resumedAt: Date;
}

interface JudgeNeeds {
  readonly rules: RuleStore;
  readonly decisions: DecisionStore;
  readonly judgement: Judgement;
  readonly evidence: Pick<SpokenEvidence, 'named'>;
  /** Called with each stored decision. */
  onDecided(outcome: string, mode: string): void;
  readonly now: Clock;
}

/** A turn of a project ends after the events with which it has taken this long. */
const turnMs = 50;
const eventsAtOnce = 10;

export class RuleJudge extends LogReaders<Judging> {
  private readonly phrases = new PhraseCache();

  constructor(
    database: Database,
    log: EventLog,
    private readonly needs: JudgeNeeds,
    jobs: Pick<JobRunner, 'run'>,
    logger: Logger,
  ) {
    super(database, log, jobs, logger, { readers: 'rules', id: 'projectId' });
  }

  protected async load(known: (id: string) => Judging | undefined): Promise<Judging[]> {
    const found: Judging[] = [];
    for (const { state, position } of await this.needs.rules.judging()) {
      const { projectId, tenantId, revision, changedAt } = state;
      const before = known(projectId);
      if (before?.revision === revision) {
        found.push(before);
        continue;
      }
      const rules = (await this.needs.rules.list(projectId)).filter(({ row }) => row.enabled);
      const types = new Set(rules.flatMap(({ definition }) => eventsOf(definition)));
      found.push({
        id: projectId,
        projectId,
        tenantId,
        revision,
        rules,
        resumedAt: changedAt ?? new Date(0),
        hears: (type) => types.has(type),
        ...readerAt(position),
      });
    }
    return found;
  }

  protected async process(one: Judging, { events }: HeardPage): Promise<Taken> {
    const began = performance.now();
    const heard = events.filter((read) => one.rules.some((rule) => hears(rule, read)));
    const phrases = await this.phrases.phrasesOf(one);
    let pending: DecisionDraft[] = [];
    for (const some of slicesOf(heard, eventsAtOnce)) {
      const messages = await this.messagesOf(one, some);
      for (const read of some) {
        if (this.isStopped) return 'changed';
        const message = messages.get(messageIdOf(read) ?? '');
        const drafts = await this.needs.judgement.judge(one.rules, phrases, read, message);
        pending.push(...drafts);
        // The next decision depends on what a match does, and on what is counted.
        if (!drafts.some(({ row }) => row.outcome === 'matched' || row.counted !== null)) continue;
        if (!(await this.store(one, pending, read.position))) return 'changed';
        pending = [];
      }
      const last = some.at(-1);
      const isEnd = last === heard.at(-1);
      if (last === undefined || (!isEnd && performance.now() - began < turnMs)) continue;
      if (pending.length > 0 && !(await this.store(one, pending, last.position))) return 'changed';
      if (isEnd) break;
      one.read = last.position;
      return 'partly';
    }
    return 'taken';
  }

  /** Messages that these events are about, by id; those from before the rules were resumed are not judged. */
  private async messagesOf(one: Judging, events: readonly ReadEvent[]): Promise<ReadonlyMap<string, Message>> {
    const ids = events.flatMap((read) => messageIdOf(read) ?? []);
    const kept = await this.needs.evidence.named(one.projectId, ids);
    const said = kept.filter(({ timestamp }) => new Date(timestamp) > one.resumedAt);
    return new Map(said.map((message) => [message.id, message]));
  }

  protected async advance(tx: Transaction, { projectId, revision, stored }: Judging, end: bigint): Promise<boolean> {
    const { rules } = this.needs;
    if (!(await rules.isAt(tx, projectId, revision))) return false;
    return rules.advance(tx, projectId, { from: stored, to: end, at: this.needs.now() });
  }

  /** false: the rules have changed, or another daemon has judged meanwhile. */
  private async store(one: Judging, drafts: readonly DecisionDraft[], end: bigint): Promise<boolean> {
    const { decisions } = this.needs;
    const { projectId } = one;
    const rows = await decisions.prepare(drafts.map(({ row }) => row));
    const imposed = drafts.flatMap(({ row, effects }) =>
      effects.sanctionIds.map((sanctionId) => ({ sanctionId, decisionId: row.id })),
    );
    const isStored = await this.database.transaction(async (tx) => {
      if (!(await this.advance(tx, one, end))) return false;
      await decisions.insert(tx, rows);
      await decisions.impose(tx, imposed);
      for (const { effects } of drafts) await effects.sanctions?.store(tx);
      // From the first event until the commit every other writer of events waits.
      for (const { effects } of drafts) await effects.sanctions?.announce(tx);
      await this.log.append(tx, ...drafts.flatMap(({ effects }) => effects.events));
      return true;
    });
    if (!isStored) return false;
    one.stored = end;
    one.read = end;
    for (const { row } of drafts) this.needs.onDecided(row.outcome, row.mode);
    for (const { row, effects } of drafts)
      await effects.sanctions?.applied().catch((error: unknown) => {
        const about = { err: error, projectId, decisionId: row.id };
        this.logger.warn(about, 'the sanction of a rule is stored, and could not be carried out in its room at once');
      });
    return true;
  }
}
