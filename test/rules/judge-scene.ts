/** A judge on a database of its own, with a log to read; what its neighbours know is made up here. */
import { uuidv7 } from 'uuidv7';
import { DecisionStore } from '../../daemon/modules/rules/decisions/decision-store.js';
import { RuleErasure } from '../../daemon/modules/rules/erasure.js';
import { FactReader, type PersonFacts } from '../../daemon/modules/rules/judging/facts.js';
import { RuleJudge } from '../../daemon/modules/rules/judging/judge.js';
import { Judgement } from '../../daemon/modules/rules/judging/judgement.js';
import { DefinitionCheck } from '../../daemon/modules/rules/resource/definition-check.js';
import { RuleStore } from '../../daemon/modules/rules/resource/rule-store.js';
import { Rules } from '../../daemon/modules/rules/resource/service.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { LogFollower } from '../../daemon/platform/events/follower.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../daemon/platform/scheduler/jobs.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { RuleDefinition } from '../../src/contract/rules/rule-definition.js';
import type { Rule } from '../../src/contract/rules/rules.js';
import type { Message } from '../../src/contract/sessions/sessions.js';

const decisionsMax = 2_000;

export class JudgeScene {
  readonly grant = { tenantId: uuidv7(), projectId: uuidv7(), role: 'admin' as const };
  readonly log: EventLog;
  readonly store: RuleStore;
  readonly decisions: DecisionStore;
  readonly erasure: RuleErasure;
  /** Messages that the judge asked for. */
  readonly asked: string[] = [];
  /** Done once, after the judge has read messages and before it stores anything. */
  meanwhile: () => Promise<void> = async () => {};
  readonly person: { -readonly [Name in keyof PersonFacts]: PersonFacts[Name] } = {
    roles: { roleIn: async () => 'none' },
    sanctions: { recent: async () => [], takenBackAmong: async () => new Set() },
    gameEvents: { countOf: async () => 0 },
  };
  /** Carries sanctions out in rooms. */
  holds: () => Promise<void> = async () => {};
  private time = Date.now();
  /** Never the same time twice. */
  private readonly tick = () => {
    this.time += 1;
    return new Date(this.time);
  };
  private readonly said = new Map<string, Message>();
  private readonly follower: LogFollower;
  private readonly judge: RuleJudge;
  private readonly rules: Rules;

  constructor(readonly database: Database) {
    const logger = createLogger('error');
    const wakeUps = new LocalWakeUps();
    this.log = new EventLog(database, wakeUps, systemClock);
    this.follower = new LogFollower(this.log, wakeUps, logger);
    this.store = new RuleStore(database);
    this.decisions = new DecisionStore(database);
    const slugs = async () => ['toxicity', 'sentiment'];
    const definitions = new DefinitionCheck({
      plugins: { installed: slugs, catalogue: slugs },
      sanctions: { check: () => {} },
    });
    this.rules = new Rules(database, this.log, this.store, definitions, this.tick);
    this.erasure = new RuleErasure(database, this.store, this.decisions);
    const impose = {
      prepare: async () => ({
        sanctions: [],
        store: async () => {},
        announce: async () => {},
        applied: () => this.holds(),
      }),
    };
    const judgement = new Judgement(new FactReader(this.person, this.decisions, systemClock), impose, systemClock);
    const evidence = { named: (_: string, ids: readonly string[]) => this.read(ids) };
    const needs = { rules: this.store, decisions: this.decisions, judgement, evidence };
    const judging = { ...needs, onDecided: () => {}, now: systemClock };
    this.judge = new RuleJudge(database, this.log, judging, unnotedJobs(logger), logger);
    this.rules.onChange(() => this.judge.changed());
  }

  async start(): Promise<void> {
    const at = systemClock();
    const { projectId: id, tenantId } = this.grant;
    await this.log.start();
    await this.database.transaction(async (tx) => {
      await tx.tenant.create({ data: { id: tenantId, name: 'Studio', createdAt: at } });
      await tx.project.create({ data: { id, tenantId, name: id, billingProjectId: id, createdAt: at } });
    });
    await this.follower.start();
    await this.judge.start(this.follower);
  }

  async stop(): Promise<void> {
    await this.judge.stop();
    await this.follower.stop();
    await this.database.transaction((tx) => this.store.end(tx, this.grant.projectId));
  }

  rule = (definition: object, exempt: string[] = []) =>
    this.rules.create(this.grant, 'u', {
      ...{ name: crypto.randomUUID(), enabled: true, sanctionsPerHourMax: 1_000, exempt },
      definition: RuleDefinition.parse({ format: 1, steps: [[{ sanction: { type: 'warn' } }]], ...definition }),
    });

  enable = (id: string, enabled: boolean) => this.rules.update(this.grant, 'u', id, { enabled });

  stopAll = (stopped: boolean) => this.rules.setSwitch(this.grant, 'u', stopped);

  remove = (id: string) => this.rules.remove(this.grant, id);

  /** Said one after the other, and stored together. */
  async say(...lines: readonly (readonly [externalUserId: string, content: string])[]): Promise<void> {
    const messages = lines.map(([externalUserId, content]): Message => {
      const said = { type: 'user' as const, senderName: externalUserId, content, timestamp: this.tick().toISOString() };
      return {
        ...{ id: uuidv7(), sessionId: 's', ...said, hasDebugAudio: false, participantId: null, externalUserId },
        ...{ origin: 'text', startMs: null, endMs: null, language: null, status: null, asr: null, shadowMuted: false },
      };
    });
    for (const one of messages) this.said.set(one.id, one);
    await this.announce('message.created', messages);
  }

  /** A plugin says of everything that was said that it is toxic. */
  async annotate(): Promise<void> {
    const annotations = [...this.said.values()].map((message) => {
      const { id: messageId, sessionId, participantId, externalUserId, timestamp: createdAt } = message;
      const content = { type: 'toxicity', content: { score: 1 }, pluginSlug: 'toxicity', createdAt };
      return { id: uuidv7(), messageId, sessionId, participantId, externalUserId, ...content };
    });
    for (const one of annotations) {
      const message = this.said.get(one.messageId);
      if (message !== undefined) this.said.set(one.messageId, { ...message, annotations: [one] });
    }
    await this.announce('message.annotation.created', annotations);
  }

  private async announce(type: string, resources: readonly { readonly id: string }[]): Promise<void> {
    const { tenantId, projectId } = this.grant;
    const events = resources.map((data) => ({
      ...{ type, tenantId, projectId, resourceId: `message:${data.id}`, data },
      action: 'created' as const,
    }));
    await this.database.transaction((tx) => this.log.append(tx, ...events));
  }

  /** Runs the step of an erasure that concerns rules. */
  async erase(externalUserId: string): Promise<void> {
    const { projectId } = this.grant;
    for (const { id, externalUserId: by } of [...this.said.values()]) if (by === externalUserId) this.said.delete(id);
    await this.erasure.inBatches(projectId, { externalUserId });
    await this.database.transaction(async (tx) => {
      await this.erasure.beforeLog(tx, projectId);
      await this.erasure.afterLog(tx, projectId, { externalUserId });
    });
  }

  /** Stores decisions about people. */
  async decide({ id: ruleId, version }: Rule, ...people: readonly string[]): Promise<void> {
    const { tenantId, projectId } = this.grant;
    const at = systemClock();
    const rows = people.map((externalUserId) => ({
      ...{ id: uuidv7(), tenantId, projectId, ruleId, version, mode: 'dry-run', eventId: uuidv7(), externalUserId },
      ...{ messageId: 'm', sessionId: 's', outcome: 'exempt', sanctions: 0, facts: null, verdict: null, counted: null },
      ...{ saidAt: at, decidedAt: at, undoneAt: null },
    }));
    const prepared = await this.decisions.prepare(rows);
    await this.database.transaction((tx) => this.decisions.insert(tx, prepared));
  }

  /** Returns the people about whom was decided, the oldest first. */
  async decided(): Promise<(string | null)[]> {
    const rows = await this.decisions.list(this.grant.projectId, {}, { limit: decisionsMax, offset: 0 });
    return rows.map(({ externalUserId }) => externalUserId).reverse();
  }

  private async read(ids: readonly string[]): Promise<Message[]> {
    this.asked.push(...ids);
    const found = ids.flatMap((id) => this.said.get(id) ?? []);
    const { meanwhile } = this;
    this.meanwhile = async () => {};
    await meanwhile();
    return found;
  }
}
