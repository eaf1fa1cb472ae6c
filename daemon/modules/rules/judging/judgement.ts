/** Judges events by the rules of a project: what each rule decides, from which facts, and what follows. */

import type { RuleFacts, RuleVerdict } from '../../../../src/contract/rules/rule-decisions.js';
import { onAnnotation, onMessage } from '../../../../src/contract/rules/rule-definition.js';
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { Pauses } from '../../../platform/database/slices.js';
import type { ReadEvent } from '../../../platform/events/record.js';
import { textField } from '../../../platform/events/text-field.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { DecisionValues } from '../decisions/decision-store.js';
import type { WholeRule } from '../resource/rule-store.js';
import { countedBy } from './counting.js';
import { concerns, decide, eventsOf, readsAnnotation, sanctionsIn } from './decide.js';
import { type Effects, effectsOf, noEffects, type SanctionPreparation } from './effects.js';
import { type ConcernedRule, type FactReader, isJudged, type JudgedMessage, messageFacts } from './facts.js';
import type { RulePhrases } from './phrases.js';

/** A decision that is not stored yet. */
export interface DecisionDraft {
  readonly row: DecisionValues;
  readonly effects: Effects;
}

/** The message that an event is about; null: it is about none, or was erased. */
export function messageIdOf({ event }: ReadEvent): string | null {
  const { data } = event.payload;
  return textField(data, 'sessionId') === null ? null : textField(data, event.type === onMessage ? 'id' : 'messageId');
}

/** True if the rule looks at the event at all. */
export function hears({ row, definition }: WholeRule, { event, position }: ReadEvent): boolean {
  if (!row.enabled || position <= row.fromPosition || !eventsOf(definition).includes(event.type)) return false;
  if (event.type !== onAnnotation) return true;
  const { data } = event.payload;
  return readsAnnotation(definition, {
    plugin: textField(data, 'pluginSlug') ?? '',
    type: textField(data, 'type') ?? '',
  });
}

export class Judgement {
  constructor(
    private readonly facts: FactReader,
    private readonly impose: SanctionPreparation,
    private readonly now: Clock,
  ) {}

  /** Returns the rules' decisions about a message; rules that it does not concern decide nothing. */
  async judge(
    rules: readonly WholeRule[],
    phrases: RulePhrases,
    read: ReadEvent,
    message: Message | undefined,
  ): Promise<DecisionDraft[]> {
    if (message === undefined || !isJudged(message)) return [];
    const saidFor = phrases.read(message.content);
    const pauses = new Pauses();
    const concerned: ConcernedRule[] = [];
    for (const rule of rules) {
      await pauses.next();
      if (!hears(rule, read) || !wasEnabled(rule, message)) continue;
      const said = saidFor(rule.row.id);
      if (concerns(rule.definition, messageFacts(message, said))) concerned.push({ rule, said });
    }
    if (concerned.length === 0) return [];
    const drafts: DecisionDraft[] = [];
    const pasts = await this.facts.past(concerned, message);
    for (const [index, { rule, said }] of concerned.entries()) {
      await pauses.next();
      const past = pasts[index];
      if (past === undefined) continue;
      const facts = await this.facts.read(rule, message, past);
      const verdict = decide(rule.definition, facts, said);
      const counted = countedBy(rule.definition, { ...facts, said }).map(({ key }) => key);
      if (verdict !== null) drafts.push(await this.draft(rule, read.event.id, { facts, verdict, counted }));
    }
    return drafts;
  }

  private async draft(
    { row: rule, definition: { mode } }: WholeRule,
    eventId: string,
    { facts, verdict, counted }: { facts: RuleFacts; verdict: RuleVerdict; counted: readonly string[] },
  ): Promise<DecisionDraft> {
    const id = uuidv7();
    const acts = mode === 'enforce' && verdict.outcome === 'matched';
    const effects = acts ? await effectsOf(this.impose, { decisionId: id, rule, facts, verdict }) : noEffects;
    const { messageId, sessionId, externalUserId, at } = facts;
    const row: DecisionValues = {
      id,
      tenantId: rule.tenantId,
      projectId: rule.projectId,
      ruleId: rule.id,
      version: rule.version,
      mode,
      eventId,
      messageId,
      sessionId,
      externalUserId,
      outcome: effects === null ? 'refused' : verdict.outcome,
      sanctions: effects === null ? 0 : sanctionsIn(verdict.actions),
      facts,
      verdict,
      counted: counted.length === 0 ? null : counted,
      saidAt: new Date(at),
      decidedAt: this.now(),
      undoneAt: null,
    };
    return { row, effects: effects ?? noEffects };
  }
}

/** True if the rule was enabled when the message was said: annotations come later. */
const wasEnabled = ({ row }: WholeRule, { timestamp }: JudgedMessage): boolean =>
  new Date(timestamp) > (row.enabledAt ?? row.createdAt);
