/** Evaluates conditions on facts. A condition on an unknown fact is null: it may hold or not. */
import { withoutRegion } from '../../../../src/contract/language.js';
import type { RuleFactAnnotation, RuleFacts } from '../../../../src/contract/rules/rule-decisions.js';
import type {
  AnnotationCondition,
  CountCondition,
  RuleCondition,
  RuleConditions,
} from '../../../../src/contract/rules/rule-definition.js';
import { isWithin } from './local-time.js';

/** Places of conditions whose words were said, such as `all.0`. */
export type Said = ReadonlySet<string>;

/** Facts that conditions read. */
export type ConditionFacts = Pick<
  RuleFacts,
  'at' | 'origin' | 'confidence' | 'language' | 'annotations' | 'role' | 'sanctions' | 'gameEvents' | 'counts'
> & {
  /** Conditions on words that hold; null: what was said is not known. */
  readonly said: Said | null;
};

/** A condition with its place in the definition. */
interface PlacedCondition {
  readonly list: 'all' | 'any' | 'none';
  /** Such as `all.0`. */
  readonly place: string;
  readonly condition: RuleCondition;
}

export const placed = (when: RuleConditions): PlacedCondition[] =>
  (['all', 'any', 'none'] as const).flatMap((list) =>
    when[list].map((condition, index) => ({ list, place: `${list}.${index}`, condition })),
  );

type Truth = boolean | null;

const every = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;
const some = (truths: readonly Truth[]): Truth => (truths.includes(true) ? true : truths.includes(null) ? null : false);
const not = (truth: Truth): Truth => (truth === null ? null : !truth);

/** True if the conditions hold together; null: not known. */
export function holdTogether(when: RuleConditions, known: ConditionFacts): Truth {
  const truths: Record<'all' | 'any' | 'none', Truth[]> = { all: [], any: [], none: [] };
  for (const one of placed(when)) truths[one.list].push(evaluate(one, known));
  const one = when.any.length === 0 ? true : some(truths.any);
  return every([...truths.all, one, not(some(truths.none))]);
}

/** True if one condition holds; null: not known. */
export function evaluate({ place, condition }: PlacedCondition, known: ConditionFacts): Truth {
  const { annotation, words, origin, confidence, language, role, sanctions, gameEvents, count, localTime } = condition;
  if (annotation !== undefined) return known.annotations.some((one) => fits(annotation, one));
  if (words !== undefined) return known.said?.has(place) ?? null;
  if (origin !== undefined) return known.origin === origin;
  if (confidence !== undefined) return isWithinBounds(confidence, known.confidence);
  if (language !== undefined) return isOneOf(language, known.language);
  if (role !== undefined) return known.role === null ? null : role.includes(known.role);
  if (sanctions !== undefined) {
    if (known.sanctions === null) return null;
    const { types, within, atLeast } = sanctions;
    const until = Date.parse(known.at);
    const counted = known.sanctions.filter(({ type, at }) => {
      const time = Date.parse(at);
      return (
        time > until - within * 1_000 && time <= until && (types === undefined || types.some((one) => one === type))
      );
    });
    return counted.length >= atLeast;
  }
  if (gameEvents !== undefined) {
    const { event, within, atLeast } = gameEvents;
    const found = known.gameEvents?.find((one) => one.event === event && one.within === within);
    return found === undefined ? null : found.count >= atLeast;
  }
  if (count !== undefined) {
    const counted = isCounted(count, place, known);
    if (counted !== true) return counted;
    const found = known.counts?.find((one) => one.condition === place);
    return found === undefined ? null : found.count >= count.atLeast;
  }
  if (localTime !== undefined) return isWithin(localTime, new Date(known.at));
  return null;
}

/** True if the message itself counts; null: not known. */
export function isCounted(
  { of }: CountCondition,
  place: string,
  known: Pick<ConditionFacts, 'origin' | 'confidence' | 'language' | 'annotations' | 'said'>,
): Truth {
  const { annotation, words, origin, confidence, language } = of;
  return every([
    annotation === undefined || known.annotations.some((one) => fits(annotation, one)),
    words === undefined || (known.said?.has(place) ?? null),
    origin === undefined || known.origin === origin,
    confidence === undefined || isWithinBounds(confidence, known.confidence),
    language === undefined || isOneOf(language, known.language),
  ]);
}

/** The greatest score by which the condition holds; null: it asks for none, or does not hold. */
export function scoreOf(condition: RuleCondition, annotations: readonly RuleFactAnnotation[]): number | null {
  const annotation = annotationIn(condition);
  if (annotation === undefined) return null;
  const scores = annotations.filter((one) => fits(annotation, one)).flatMap((one) => scoreIn(annotation, one) ?? []);
  return scores.length === 0 ? null : Math.max(...scores);
}

/** Returns the annotation of the message that the condition asks for. */
export const annotationIn = ({ annotation, count }: RuleCondition): AnnotationCondition | undefined =>
  annotation ?? count?.of.annotation;

/** Returns the words that the condition asks for. */
export const wordsIn = ({ words, count }: RuleCondition): RuleCondition['words'] => words ?? count?.of.words;

function scoreIn({ category }: AnnotationCondition, { score, scores }: RuleFactAnnotation): number | null {
  if (category !== undefined && Object.hasOwn(scores, category)) return scores[category] ?? null;
  if (score !== null) return score;
  const all = Object.values(scores);
  return category === undefined && all.length > 0 ? Math.max(...all) : null;
}

function fits(asked: AnnotationCondition, found: RuleFactAnnotation): boolean {
  const { plugin, type, category, atLeast, atMost } = asked;
  if (plugin !== undefined && plugin !== found.plugin) return false;
  if (type !== undefined && type !== found.type) return false;
  const isBounded = atLeast !== undefined || atMost !== undefined;
  if (category !== undefined && !found.categories.includes(category))
    if (!isBounded || !Object.hasOwn(found.scores, category)) return false;
  if (!isBounded) return true;
  return isWithinBounds(asked, scoreIn(asked, found));
}

/** `de` includes `de-AT`. False for an unknown language. */
const isOneOf = (asked: readonly string[], language: string | null): boolean =>
  language !== null && asked.some((one) => one === language || one === withoutRegion(language));

/** False for an unknown value. */
const isWithinBounds = ({ atLeast, atMost }: { atLeast?: number; atMost?: number }, value: number | null): boolean =>
  value !== null && value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
