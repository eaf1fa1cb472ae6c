/** Rules of a project: created, changed, rolled back, deleted, and stopped all at once. */
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../src/contract/errors.js';
import type { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import {
  type CreateRuleRequest,
  countingConditionsMax,
  phraseCharactersMax,
  type Rule,
  type RuleListQuery,
  type RuleSwitch,
  type RuleVersion,
  rulesPerProjectMax,
  type UpdateRuleRequest,
  versionsPerRuleMax,
} from '../../../../src/contract/rules/rules.js';
import { isPartOf } from '../../../../src/text/fold.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { changesBetween, type EventLog } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import { countsIn } from '../judging/counting.js';
import { phraseCharacters } from '../judging/phrases.js';
import type { DefinitionCheck } from './definition-check.js';
import { type RuleRow, type RuleStore, toRule, toSwitch, toVersion, type WholeRule } from './rule-store.js';

export class Rules {
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly rules: RuleStore,
    private readonly definitions: DefinitionCheck,
    private readonly now: Clock,
  ) {}

  /** Calls the listener when a rule of this daemon has changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async list(projectId: string, { search, enabled, mode }: RuleListQuery): Promise<Rule[]> {
    return (await this.rules.list(projectId))
      .map(toRule)
      .filter(({ name }) => isPartOf(search, name))
      .filter((rule) => enabled === undefined || rule.enabled === enabled)
      .filter(({ definition }) => mode === undefined || definition.mode === mode);
  }

  /** Throws rule_not_found. */
  async get(projectId: string, id: string): Promise<Rule> {
    return toRule(await this.existing(projectId, id));
  }

  /** The newest first. Throws rule_not_found. */
  async versions(projectId: string, id: string): Promise<RuleVersion[]> {
    await this.existing(projectId, id);
    return (await this.rules.versions(id)).map(toVersion);
  }

  /** Throws rule_name_taken, rule_limit, and the refusals of DefinitionCheck. */
  async create(grant: ProjectGrant, userId: string, request: CreateRuleRequest): Promise<Rule> {
    const { name, enabled, sanctionsPerHourMax, exempt, definition } = request;
    await this.definitions.judging(grant.projectId, definition);
    return this.change(grant, async (tx) => {
      const others = await this.rules.list(grant.projectId, tx);
      if (others.length >= rulesPerProjectMax) throw new DomainError('rule_limit');
      refuseTaken(name, others);
      refuseTooCostly(definition, others);
      const now = this.now();
      const row: RuleRow = {
        id: uuidv7(),
        tenantId: grant.tenantId,
        projectId: grant.projectId,
        name,
        enabled,
        version: 1,
        sanctionsPerHourMax,
        exempt: [...new Set(exempt)],
        ...(await this.fromNowOn()),
        enabledAt: null,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      };
      await this.rules.insert(tx, row);
      await this.store(tx, row.id, 1, definition, { userId, copyOf: null });
      const rule = toRule({ row, definition });
      return { rule, events: [eventOf('rule.created', grant, rule)] };
    });
  }

  /** Throws rule_not_found, rule_name_taken, rule_limit, and the refusals of DefinitionCheck. */
  async update(grant: ProjectGrant, userId: string, id: string, request: UpdateRuleRequest): Promise<Rule> {
    const { name, enabled, sanctionsPerHourMax, exempt, definition } = request;
    if (definition !== undefined) await this.definitions.judging(grant.projectId, definition);
    return this.change(grant, async (tx) => {
      const before = await this.existing(grant.projectId, id, tx);
      const others = (await this.rules.list(grant.projectId, tx)).filter(({ row }) => row.id !== id);
      if (name !== undefined) refuseTaken(name, others);
      const isNew = definition !== undefined && !isDeepStrictEqual(definition, before.definition);
      if (isNew) refuseTooCostly(definition, others);
      const version = isNew ? await this.add(tx, id, definition, { userId, copyOf: null }) : before.row.version;
      const begins = enabled === true && !before.row.enabled;
      const row = await this.rules.update(tx, id, {
        version,
        updatedAt: this.now(),
        ...(name === undefined ? {} : { name }),
        ...(enabled === undefined ? {} : { enabled }),
        ...(sanctionsPerHourMax === undefined ? {} : { sanctionsPerHourMax }),
        ...(exempt === undefined ? {} : { exempt: [...new Set(exempt)] }),
        ...(begins || isNew ? await this.fromNowOn() : {}),
        ...(begins ? { enabledAt: this.now() } : {}),
      });
      return changed(grant, before, { row, definition: isNew ? definition : before.definition });
    });
  }

  /** Throws rule_not_found, rule_version_not_found, rule_limit, and the refusals of DefinitionCheck. */
  async rollBack(grant: ProjectGrant, userId: string, id: string, version: number): Promise<Rule> {
    const found = await this.rules.version(id, version);
    if (found !== null) await this.definitions.judging(grant.projectId, toVersion(found).definition);
    return this.change(grant, async (tx) => {
      const before = await this.existing(grant.projectId, id, tx);
      const found = await this.rules.version(id, version, tx);
      if (found === null) throw new DomainError('rule_version_not_found');
      const { definition } = toVersion(found);
      const others = (await this.rules.list(grant.projectId, tx)).filter(({ row }) => row.id !== id);
      refuseTooCostly(definition, others);
      const newest = await this.add(tx, id, definition, { userId, copyOf: version });
      const row = await this.rules.update(tx, id, {
        version: newest,
        updatedAt: this.now(),
        ...(await this.fromNowOn()),
      });
      return changed(grant, before, { row, definition });
    });
  }

  /** Its versions and decisions stay, because sanctions name them. Throws rule_not_found. */
  async remove(grant: ProjectGrant, id: string): Promise<{ id: string; deleted: true }> {
    await this.change(grant, async (tx) => {
      const before = await this.existing(grant.projectId, id, tx);
      const now = this.now();
      const gone = { enabled: false, exempt: [], deletedAt: now, updatedAt: now };
      const row = await this.rules.update(tx, id, gone);
      return { rule: toRule({ ...before, row }), events: [eventOf('rule.deleted', grant, { id })] };
    });
    return { id, deleted: true };
  }

  async getSwitch(projectId: string): Promise<RuleSwitch> {
    return toSwitch(await this.rules.state(projectId));
  }

  /** Holds when it returns: what was being judged is not stored any more. */
  async setSwitch(grant: ProjectGrant, userId: string, stopped: boolean): Promise<RuleSwitch> {
    const state = await this.database.transaction(async (tx) => {
      const before = await this.rules.lock(tx, grant);
      if (before.stopped === stopped) return before;
      const changes = { stopped, changedByUserId: userId, changedAt: this.now() };
      const after = await this.rules.setSwitch(tx, grant.projectId, changes);
      await this.settle(tx, after);
      return after;
    });
    this.notifyListeners();
    return toSwitch(state);
  }

  private async change(
    grant: ProjectGrant,
    work: (tx: Transaction) => Promise<{ rule: Rule; events: NewEvent[] }>,
  ): Promise<Rule> {
    const rule = await this.database.transaction(async (tx) => {
      const state = await this.rules.lock(tx, grant);
      const { rule: after, events } = await work(tx);
      await this.settle(tx, state);
      await this.log.append(tx, ...events);
      return after;
    });
    this.notifyListeners();
    return rule;
  }

  /** The project has a stored position in the log while one of its rules judges. */
  private async settle(tx: Transaction, state: Parameters<RuleStore['beginAt']>[1]): Promise<void> {
    const { projectId, stopped } = state;
    const judges = !stopped && (await this.rules.list(projectId, tx)).some(({ row }) => row.enabled);
    const position = await this.rules.position(projectId, tx);
    if (!judges) await this.rules.end(tx, projectId);
    else if (position === null) await this.rules.beginAt(tx, state, await this.log.head(), this.now());
  }

  /** The end of the log: what was stored before a change is judged by the earlier state or not at all. */
  private async fromNowOn(): Promise<Pick<RuleRow, 'fromPosition'>> {
    return { fromPosition: await this.log.head() };
  }

  /** The number of the new version. Throws rule_limit. */
  private async add(
    tx: Transaction,
    id: string,
    definition: RuleDefinition,
    origin: { userId: string; copyOf: number | null },
  ): Promise<number> {
    const version = (await this.rules.newest(tx, id)) + 1;
    if (!(await this.rules.makeRoom(tx, id, versionsPerRuleMax))) {
      const message = `Decisions name all ${versionsPerRuleMax} versions of the rule. Create another rule, and disable this one.`;
      throw new DomainError('rule_limit', { message });
    }
    await this.store(tx, id, version, definition, origin);
    return version;
  }

  private store(
    tx: Transaction,
    ruleId: string,
    version: number,
    definition: RuleDefinition,
    { userId, copyOf }: { userId: string; copyOf: number | null },
  ) {
    const made = { createdByUserId: userId, createdAt: this.now() };
    return this.rules.insertVersion(tx, { ruleId, version, definition, copyOf, ...made });
  }

  private async existing(projectId: string, id: string, tx?: Transaction): Promise<WholeRule> {
    const found = await this.rules.find(projectId, id, tx);
    if (found === null) throw new DomainError('rule_not_found');
    return found;
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }
}

function refuseTaken(name: string, others: readonly WholeRule[]): void {
  if (others.some(({ row }) => row.name === name)) throw new DomainError('rule_name_taken');
}

/** Throws rule_limit: all phrases of a project are kept in memory together, and each message is counted for all rules. */
function refuseTooCostly(definition: RuleDefinition, others: readonly WholeRule[]): void {
  const all = [definition, ...others.map((other) => other.definition)];
  const counting = all.reduce((sum, one) => sum + countsIn(one).length, 0);
  if (counting > countingConditionsMax && countsIn(definition).length > 0) {
    const message = `With this rule, the project's rules have ${counting} conditions that count messages; the maximum is ${countingConditionsMax}. Leave some out, or delete a rule.`;
    throw new DomainError('rule_limit', { message });
  }
  const characters = all.reduce((sum, one) => sum + phraseCharacters(one), 0);
  if (characters <= phraseCharactersMax.project) return;
  const message = `With this rule, the words and phrases of the project's rules have ${characters} characters in total; the maximum is ${phraseCharactersMax.project}. Shorten lists, or delete a rule.`;
  throw new DomainError('rule_limit', { message });
}

function changed(grant: ProjectGrant, before: WholeRule, after: WholeRule) {
  const rule = toRule(after);
  const changes = changesBetween(announced(toRule(before)), announced(rule)) ?? {};
  return { rule, events: [eventOf('rule.updated', grant, rule, changes)] };
}

/** Events do not say who is exempt: they are kept when these people are erased. */
const announced = ({ exempt: _, ...rule }: Rule) => rule;

const actions = { 'rule.created': 'created', 'rule.updated': 'updated', 'rule.deleted': 'deleted' } as const;

const eventOf = (
  type: keyof typeof actions,
  { tenantId, projectId }: ProjectGrant,
  rule: Rule | { id: string },
  changes?: Record<string, unknown>,
): NewEvent => ({
  type,
  tenantId,
  projectId,
  resourceId: `rule:${rule.id}`,
  action: actions[type],
  data: 'exempt' in rule ? announced(rule) : rule,
  ...(changes === undefined ? {} : { changes }),
});
