/** Runs what is queued, at least once, a few at a time. `RunPlaces` decides which is next. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { DomainEvent } from '../../../../src/contract/events.js';
import { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { DueWork } from '../../../platform/scheduler/due-work.js';
import { setAsideReason } from '../../../platform/set-aside.js';
import type { Clock } from '../../../platform/time/clock.js';
import { every } from '../../../platform/time/ticks.js';
import { crashesMax, restAfterCrashMs, type SuspectTurns } from '../../../platform/turns/suspect-turns.js';
import type { ActionRow, ActionStore, DueAction } from '../actions/action-store.js';
import type { InstanceRow } from '../instances/instance-store.js';
import {
  type PluginFinding,
  type PluginRun,
  type PluginSettings,
  type RunnablePlugin,
  Skip,
  TryAgain,
} from '../plugin.js';
import { isRedacted, messageOf } from './event-subject.js';
import { attemptsMax, errorCharactersMax, perInstanceMax, pollMs, runMs, stopGraceMs } from './limits.js';
import { RunPlaces } from './places.js';
import type { RecordedRun, RunOutcome } from './recorder.js';

interface RunNeeds {
  readonly actions: ActionStore;
  readonly instances: { byIds(ids: readonly string[]): Promise<InstanceRow[]> };
  readonly settings: { open(row: InstanceRow): PluginSettings };
  /** null: it is not installed any more. */
  readonly plugins: { find(slug: string): Promise<RunnablePlugin | null> };
  readonly log: { find(id: string): Promise<{ readonly event: DomainEvent } | null> };
  readonly recorder: { record(recorded: RecordedRun): Promise<boolean> };
  readonly suspects: SuspectTurns;
  readonly due: DueWork;
}

interface RunnerOptions {
  /** No other daemon works on this database, so leases of an earlier process need not run out. */
  readonly alone: boolean;
  /** Ends the runs in progress. */
  readonly interrupt: () => void;
  /** Called for every stored run. */
  readonly ran: (state: RunOutcome['state'], seconds: number) => void;
}

/** null: it is not kept any more. */
type FindEvent = (id: string) => Promise<DomainEvent | null>;

const summaryAsked = /^summary:/;

export class PluginRunner {
  private readonly places = new RunPlaces();
  private readonly running = new Set<Promise<void>>();
  private endPolls: (() => void) | null = null;
  private filling: Promise<void> | null = null;
  private again = false;
  /** The queue had more runs than places when it was last read, so it is read again when a place becomes free. */
  private isMoreDue = false;
  private interrupted = false;

  constructor(
    private readonly needs: RunNeeds,
    private readonly logger: Logger,
    private readonly now: Clock,
    private readonly options: RunnerOptions,
  ) {}

  async start(): Promise<void> {
    if (this.options.alone) await this.endLeases();
    await this.needs.actions.bringForward(this.now()); // the clock may have been ahead before
    this.endPolls = every(pollMs, () => void this.poll());
    this.wake();
  }

  /** Waits a moment for runs in progress; those that do not finish are released and run again later. */
  async stop(): Promise<void> {
    this.endPolls?.();
    this.endPolls = null;
    await this.filling;
    const ended = Promise.all(this.running);
    await Promise.race([ended, sleep(stopGraceMs, undefined, { ref: false })]);
    this.interrupted = this.running.size > 0;
    this.options.interrupt();
    if (!this.interrupted) return;
    await Promise.race([ended, sleep(stopGraceMs, undefined, { ref: false })]);
    await this.needs.actions.release(this.now());
  }

  /** An earlier process ended without giving them back. */
  private async endLeases(): Promise<void> {
    const now = this.now();
    const count = await this.needs.actions.endLeases(new Date(now.getTime() + restAfterCrashMs), now);
    if (count > 0)
      this.logger.warn({ count }, 'the daemon crashed during these plugin runs; they are retried, one at a time');
  }

  /** Runs in progress. */
  get underWay(): number {
    return this.running.size;
  }

  private async poll(): Promise<void> {
    if (await this.needs.due.mayBeDue()) this.wake();
  }

  /** Something may be due. */
  wake(): void {
    if (this.endPolls === null) return;
    this.again = true;
    this.filling ??= this.fill().finally(() => {
      this.filling = null;
      if (this.again) this.wake();
    });
  }

  private async fill(): Promise<void> {
    try {
      while (this.again && this.endPolls !== null) {
        await nextTurn(); // runs that were recorded together free their places together
        this.again = false;
        if ((await this.launchDue()) > 0 && this.isMoreDue) this.again = true;
      }
    } catch (error) {
      this.again = false;
      this.needs.due.again();
      this.logger.warn({ err: error }, 'the queue of plugin runs could not be read; trying again');
    }
  }

  private async launchDue(): Promise<number> {
    if (this.places.isFull) {
      this.isMoreDue = true;
      return 0;
    }
    const { actions, instances, suspects } = this.needs;
    const now = this.now();
    const due = await actions.due(now);
    const chosen = this.places.choose(suspects.admit(due));
    this.isMoreDue = due.length > chosen.length || hasFullShare(due);
    if (chosen.length === 0) return 0;
    const claimed = await actions.claim(chosen, now);
    const rows = await instances.byIds([...new Set(claimed.map(({ instanceId }) => instanceId))]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const eventOf = this.eventsOnce();
    for (const action of claimed) {
      const instance = byId.get(action.instanceId);
      if (instance !== undefined) this.launch(action, instance, eventOf); // without one it was deleted, and the run with it
    }
    return claimed.length;
  }

  /** Reads each event once: runs of several plugins on it begin together. */
  private eventsOnce(): FindEvent {
    const found = new Map<string, ReturnType<FindEvent>>();
    return (id) => {
      const event = found.get(id) ?? this.needs.log.find(id).then((positioned) => positioned?.event ?? null);
      found.set(id, event);
      return event;
    };
  }

  private launch(action: ActionRow, instance: InstanceRow, eventOf: FindEvent): void {
    const giveBack = this.places.acquire(action);
    const work = this.carryOut(action, instance, eventOf)
      .catch((error: unknown) =>
        this.logger.error({ err: error, actionId: action.id }, 'a plugin run could not be recorded'),
      )
      .then(() => {
        this.running.delete(work);
        this.needs.suspects.end(action.id);
        giveBack();
        if (this.isMoreDue) this.wake();
      });
    this.running.add(work);
  }

  private async carryOut(action: ActionRow, instance: InstanceRow, eventOf: FindEvent): Promise<void> {
    const { actions, plugins, recorder } = this.needs;
    if (action.crashes >= crashesMax) return actions.setAside(action.id, setAsideReason);
    let began = performance.now();
    const plugin = await plugins.find(instance.pluginSlug);
    const event = summaryAsked.test(action.eventId) ? null : await eventOf(action.eventId);
    const outcome = await this.outcomeOf(action, instance, plugin, event, () => {
      began = performance.now();
    });
    if (this.interrupted && outcome.state !== 'succeeded') return; // not the plugin's fault
    const durationMs = Math.round(performance.now() - began);
    const stored = await recorder.record({
      action,
      pluginSlug: instance.pluginSlug,
      replaces: plugin?.replaces ?? [],
      messageId: messageOf(event),
      outcome: { ...outcome, durationMs },
    });
    if (stored) this.options.ran(outcome.state, durationMs / 1_000);
    const { id: actionId, instanceId, eventId } = action;
    this.logger.debug({ actionId, instanceId, eventId, state: outcome.state, durationMs }, 'plugin run');
  }

  private async outcomeOf(
    action: ActionRow,
    instance: InstanceRow,
    plugin: RunnablePlugin | null,
    event: DomainEvent | null,
    onStart: () => void,
  ): Promise<Omit<RunOutcome, 'durationMs'>> {
    const ended = (state: RunOutcome['state'], error: string | null, findings: readonly PluginFinding[] = []) => ({
      state,
      error,
      findings,
    });
    if (action.attempts > attemptsMax) return ended('failed', `it was started ${attemptsMax} times and never ended`);
    if (plugin === null) return ended('skipped', 'the plugin is no longer installed');
    if (event === null && !summaryAsked.test(action.eventId)) return ended('skipped', 'the event is no longer stored');
    if (isRedacted(event)) return ended('skipped', 'the data of the event was erased');
    const unheard = unheardReason(event);
    if (unheard !== null) return ended('skipped', `what was said is too uncertain (${unheard})`);
    const { id: actionId, tenantId, projectId, sessionId } = action;
    const run = { actionId, instanceId: instance.id, tenantId, projectId, sessionId, event };
    try {
      return ended(
        'succeeded',
        null,
        await inTime(plugin, { ...run, settings: this.needs.settings.open(instance) }, onStart),
      );
    } catch (error) {
      const text = describe(error);
      if (error instanceof Skip) return ended('skipped', text);
      return ended(error instanceof TryAgain ? 'again' : 'failed', text);
    }
  }
}

/** Why nothing should act on the words of this event; null: it carries none, or they are certain enough. */
function unheardReason(event: DomainEvent | null): string | null {
  if (event?.type !== 'message.created') return null;
  return Message.safeParse(event.payload.data).data?.asr?.unheard ?? null;
}

/** One instance has as many due runs as are read at once, so there may be more. */
function hasFullShare(due: readonly DueAction[]): boolean {
  const counts = new Map<string, number>();
  for (const { instanceId } of due) counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= perInstanceMax);
}

async function inTime(plugin: RunnablePlugin, run: PluginRun, onStart: () => void): Promise<readonly PluginFinding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${runMs / 1_000} s`)), runMs);
  });
  try {
    return await Promise.race([plugin.run(run, onStart), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** On one line, in text that every database can hold. */
const describe = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .toWellFormed()
    .replaceAll('\0', '\ufffd')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, errorCharactersMax)
    .toWellFormed();
