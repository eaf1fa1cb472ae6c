/** Facts of an annotation for rules, whatever plugin made it. */
import type { MessageAnnotation } from '../../../../src/contract/plugins/annotations.js';
import type { RuleFactAnnotation } from '../../../../src/contract/rules/rule-decisions.js';

const namesMax = 60;
const nameCharactersMax = 100;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

function numbersOf(value: unknown): Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const pairs = Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'number' && Number.isFinite(one) && name.length <= nameCharactersMax ? [[name, one] as const] : [],
  );
  return Object.fromEntries(pairs.slice(0, namesMax));
}

/** Scores, categories and labels; never words of the message. */
export function annotationFact({ id, pluginSlug, type, content }: MessageAnnotation): RuleFactAnnotation {
  const { score, label, categories, scores } = content;
  const names = [...texts(categories), ...texts([label])].filter((name) => name.length <= nameCharactersMax);
  return {
    id,
    plugin: pluginSlug,
    type,
    score: typeof score === 'number' && Number.isFinite(score) ? score : null,
    categories: [...new Set(names)].slice(0, namesMax),
    scores: numbersOf(scores),
  };
}
