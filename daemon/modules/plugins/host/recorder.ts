/**
 * Stores the results of runs, many in one transaction: the annotations, the events about them, and the state of the
 * run. A run that this daemon no longer holds has no effect, so every effect is stored once.
 */

import type { Database, Transaction } from '../../../platform/database/database.js';
import { GroupCommit } from '../../../platform/database/group-commit.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ActionRow, ActionStore, FinishedAction } from '../actions/action-store.js';
import {
  type AnnotationRow,
  type AnnotationStore,
  toMessageAnnotation,
  toSessionAnnotation,
} from '../annotations/annotation-store.js';
import type { PluginFinding } from '../plugin.js';
import { attemptsMax, retryAfterMs } from './limits.js';

export interface RunOutcome {
  /** `again`: it failed for now. */
  readonly state: 'succeeded' | 'failed' | 'again' | 'skipped';
  readonly error: string | null;
  readonly findings: readonly PluginFinding[];
  readonly durationMs: number;
}

export interface RecordedRun {
  readonly action: ActionRow;
  readonly pluginSlug: string;
  /** Types of session annotations that a new one replaces. */
  readonly replaces: readonly string[];
  /** The message that the event is about. */
  readonly messageId: string | null;
  readonly outcome: RunOutcome;
}

/** The transcript at this moment of a transaction. */
interface AnnotatedTranscripts {
  sessionsIn(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>>;
  messagesIn(
    tx: Transaction,
    ids: readonly string[],
  ): Promise<
    readonly {
      readonly id: string;
      readonly projectId: string;
      readonly sessionId: string;
      readonly participantId: string | null;
      readonly externalUserId: string | null;
    }[]
  >;
}

type AnnotationTarget = Pick<AnnotationRow, 'sessionId' | 'messageId' | 'participantId' | 'externalUserId'>;

/**
 * Returns the subject of an annotation: the message or session that it names, else the message of the event, else its
 * session.
 */
const namedBy = (finding: PluginFinding, { messageId, action }: RecordedRun) => {
  const message = finding.messageId ?? (finding.sessionId === undefined ? messageId : null);
  return { messageId: message, sessionId: message === null ? (finding.sessionId ?? action.sessionId) : null };
};

interface RunRecorderNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly actions: ActionStore;
  readonly annotations: AnnotationStore;
  readonly transcripts: AnnotatedTranscripts;
  readonly now: Clock;
}

export class RunRecorder {
  private readonly commits: GroupCommit<RecordedRun, boolean>;

  constructor(private readonly needs: RunRecorderNeeds) {
    this.commits = new GroupCommit('plugin_records', async (batch) => {
      const stored = await this.needs.database.transaction((tx) => this.store(tx, batch));
      return batch.map(({ action }) => stored.has(action.id));
    });
  }

  /** Stores the result of a run. Returns false if the run belongs to another daemon, or was deleted. */
  record(recorded: RecordedRun): Promise<boolean> {
    return this.commits.submit(recorded);
  }

  private async store(tx: Transaction, batch: readonly RecordedRun[]): Promise<Set<string>> {
    const mine = await this.needs.actions.mine(
      tx,
      batch.map(({ action }) => action),
    );
    const held = batch.filter(({ action }) => mine.has(action.id));
    if (held.length === 0) return mine;
    const targetOf = await this.targets(tx, held);
    const events: NewEvent[] = [];
    let rows: AnnotationRow[] = [];
    const finished: FinishedAction[] = [];
    for (const one of held) {
      const made = one.outcome.findings.flatMap((finding, ordinal) => {
        const target = targetOf(one, finding);
        return target === null ? [] : [this.rowOf(one, finding, target, ordinal)];
      });
      await this.makeRoom(tx, one, made);
      rows = [...rows.filter((row) => !isReplaced(row, one, made)), ...made];
      events.push(...made.map((row) => created(row, one.action.tenantId)));
      finished.push(this.finished(one, made));
    }
    await this.needs.annotations.insert(tx, rows);
    await this.needs.actions.finish(tx, finished, this.needs.now());
    await this.needs.log.append(tx, ...events);
    return mine;
  }

  /**
   * The messages and sessions of these annotations; null for one that does not exist any more or is of another project.
   */
  private async targets(tx: Transaction, held: readonly RecordedRun[]) {
    const named = held.flatMap((one) => one.outcome.findings.map((finding) => namedBy(finding, one)));
    const messageIds = [...new Set(named.flatMap(({ messageId }) => messageId ?? []))];
    const sessionIds = [...new Set(named.flatMap(({ sessionId }) => sessionId ?? []))];
    const found = messageIds.length === 0 ? [] : await this.needs.transcripts.messagesIn(tx, messageIds);
    const messages = new Map(found.map((one) => [one.id, one]));
    const sessions =
      sessionIds.length === 0 ? new Map<string, string>() : await this.needs.transcripts.sessionsIn(tx, sessionIds);
    return (one: RecordedRun, finding: PluginFinding): AnnotationTarget | null => {
      const { projectId } = one.action;
      const { messageId, sessionId } = namedBy(finding, one);
      const message = messages.get(messageId ?? '');
      if (message?.projectId === projectId) {
        const { participantId, externalUserId } = message;
        return { messageId, sessionId: message.sessionId, participantId, externalUserId };
      }
      if (sessionId === null || sessions.get(sessionId) !== projectId) return null;
      return { sessionId, messageId: null, participantId: null, externalUserId: null };
    };
  }

  /** Deletes the session annotations that these replace. */
  private async makeRoom(
    tx: Transaction,
    { pluginSlug, replaces }: RecordedRun,
    made: readonly AnnotationRow[],
  ): Promise<void> {
    for (const { sessionId, messageId, type } of made) {
      if (messageId !== null || !replaces.includes(type)) continue;
      const before = await this.needs.annotations.ofType(tx, sessionId, pluginSlug, type);
      await this.needs.annotations.remove(
        tx,
        before.map(({ id }) => id),
      );
    }
  }

  private rowOf(
    { action, pluginSlug }: RecordedRun,
    { type, content }: PluginFinding,
    target: AnnotationTarget,
    ordinal: number,
  ): AnnotationRow {
    return {
      id: uuidv7(),
      projectId: action.projectId,
      ...target,
      pluginSlug,
      actionId: action.id,
      ordinal,
      type,
      content,
      createdAt: this.needs.now(),
    };
  }

  private finished({ action, outcome }: RecordedRun, made: readonly AnnotationRow[]): FinishedAction {
    const { state, error, durationMs } = outcome;
    const now = this.needs.now();
    const wait = state === 'again' && action.attempts < attemptsMax ? retryAfterMs[action.attempts - 1] : undefined;
    if (wait !== undefined) {
      const dueAt = new Date(now.getTime() + wait);
      return { id: action.id, status: 'queued', dueAt, finishedAt: null, durationMs, error, result: null };
    }
    const result = state === 'succeeded' ? { annotations: made.map(({ id }) => id) } : null;
    const status = state === 'again' ? 'failed' : state;
    return { id: action.id, status, dueAt: null, finishedAt: now, durationMs, error, result };
  }
}

/** True if a session annotation that is not stored yet gives way to one of another run of the plugin. */
const isReplaced = (row: AnnotationRow, { pluginSlug, replaces }: RecordedRun, made: readonly AnnotationRow[]) =>
  row.messageId === null &&
  row.pluginSlug === pluginSlug &&
  replaces.includes(row.type) &&
  made.some(({ messageId, sessionId, type }) => messageId === null && sessionId === row.sessionId && type === row.type);

/** An event about an annotation belongs to what it is about, and is erased with it. */
function created(row: AnnotationRow, tenantId: string): NewEvent {
  const { messageId, sessionId, projectId, externalUserId: subjectUserId } = row;
  const common = { source: 'cortex:plugin', tenantId, projectId, action: 'created', subjectUserId } as const;
  return messageId === null
    ? {
        ...common,
        type: 'session.annotation.created',
        resourceId: `session:${sessionId}`,
        data: toSessionAnnotation(row),
      }
    : {
        ...common,
        type: 'message.annotation.created',
        resourceId: `message:${messageId}`,
        data: toMessageAnnotation({ ...row, messageId }),
      };
}
