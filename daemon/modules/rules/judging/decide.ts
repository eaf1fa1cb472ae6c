/** The verdict of a version of a rule on facts. Pure: the same facts always give the same verdict. */
import { kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import type { RuleFacts, RuleVerdict } from '../../../../src/contract/rules/rule-decisions.js';
import {
  type AnnotationCondition,
  onAnnotation,
  onMessage,
  type RuleAction,
  type RuleCondition,
  type RuleDefinition,
} from '../../../../src/contract/rules/rule-definition.js';
import {
  annotationIn,
  type ConditionFacts,
  evaluate,
  holdTogether,
  placed,
  type Said,
  scoreOf,
  wordsIn,
} from './conditions.js';
import { countedBy } from './counting.js';

/** Facts of a message that are known before anything else is asked. */
type MessageFacts = Pick<ConditionFacts, 'at' | 'origin' | 'confidence' | 'language' | 'annotations'> & {
  readonly said: Said;
};

/** True if the rule may match, or counts the message, by the message alone; other facts are read only then. */
export const concerns = (definition: RuleDefinition, message: MessageFacts): boolean =>
  holdTogether(definition.when, { ...message, role: null, sanctions: null, gameEvents: null, counts: null }) !==
    false || countedBy(definition, message).length > 0;

/** The verdict; null: a condition asks for something that the facts do not have any more. */
export function decide(definition: RuleDefinition, facts: RuleFacts, said: Said | null): RuleVerdict | null {
  const known = { ...facts, said };
  const conditions: { condition: string; holds: boolean }[] = [];
  const scores: number[] = [];
  for (const one of placed(definition.when)) {
    const truth = evaluate(one, known);
    if (truth === null) return null;
    conditions.push({ condition: one.place, holds: truth });
    const score = truth && one.list !== 'none' ? scoreOf(one.condition, facts.annotations) : null;
    if (score !== null) scores.push(score);
  }
  const score = scores.length === 0 ? null : Math.max(...scores);
  const ended = (outcome: RuleVerdict['outcome']): RuleVerdict => ({
    outcome,
    conditions,
    score,
    step: null,
    actions: [],
  });
  if (holdTogether(definition.when, known) !== true) return ended('not_matched');
  if (facts.repeated) return ended('repeated');
  if (facts.exempt) return ended('exempt');
  const step = Math.min(facts.times, definition.steps.length - 1);
  const actions = definition.steps[step] ?? [];
  if (lastingKinds(actions).some((type) => facts.justImposed.includes(type))) return ended('repeated');
  const imposed = sanctionsIn(actions);
  if (imposed > 0 && facts.sanctionsThisHour + imposed > facts.sanctionsPerHourMax) return ended('capped');
  return { outcome: 'matched', conditions, score, step: step + 1, actions };
}

/** How many count towards the cap of an hour: a review is asked for by a sanction, too. */
export const sanctionsIn = (actions: readonly RuleAction[]): number =>
  actions.filter(({ sanction, review }) => sanction !== undefined || review !== undefined).length;

/** Kinds of sanction that would stack up; a warning is over once it is given. */
const lastingKinds = (actions: readonly RuleAction[]): SanctionType[] =>
  actions.flatMap(({ sanction }) =>
    sanction === undefined || kindOf(sanction.type).isMomentary ? [] : [sanction.type],
  );

export const imposesLasting = ({ steps }: RuleDefinition): boolean =>
  steps.some((actions) => lastingKinds(actions).length > 0);

const all = ({ when }: RuleDefinition): RuleCondition[] => placed(when).map(({ condition }) => condition);

/** The types of events that it judges. */
export function eventsOf(definition: RuleDefinition): readonly string[] {
  if (definition.events !== undefined) return definition.events;
  return [annotationsAsked(definition).length > 0 ? onAnnotation : onMessage];
}

const annotationsAsked = (definition: RuleDefinition): AnnotationCondition[] =>
  all(definition).flatMap((condition) => annotationIn(condition) ?? []);

/** Returns the facts besides the message that the conditions ask for. */
export const asksFor = (definition: RuleDefinition) => ({
  words: all(definition).some((condition) => wordsIn(condition) !== undefined),
  role: all(definition).some(({ role }) => role !== undefined),
  sanctions: all(definition).flatMap(({ sanctions }) => sanctions ?? []),
  gameEvents: all(definition).flatMap(({ gameEvents }) => gameEvents ?? []),
});

/** True if an annotation of this kind can make a difference to the rule. */
export function readsAnnotation(definition: RuleDefinition, kind: { plugin: string; type: string }): boolean {
  const asked = annotationsAsked(definition);
  return (
    asked.length === 0 ||
    asked.some(({ plugin, type }) => (plugin ?? kind.plugin) === kind.plugin && (type ?? kind.type) === kind.type)
  );
}
