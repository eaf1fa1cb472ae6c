/** Words and phrases of rules: prepared once for all rules of a project, and found by one reading of a message. */
import type { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import { compatible } from '../../../platform/text/compatible.js';
import { PhraseAutomaton } from '../../../platform/text/phrase-automaton.js';
import { wordPattern } from '../../../platform/text/word-pattern.js';
import { placed, type Said, wordsIn } from './conditions.js';

/** A rule, or one that is only tried. */
interface Phrased {
  readonly ruleId: string;
  readonly definition: RuleDefinition;
}

/** A condition on words. */
interface PhraseCondition {
  readonly ruleId: string;
  readonly place: string;
}

const nothingSaid: Said = new Set();

const words = new RegExp(wordPattern('[\\p{L}\\p{N}\\p{M}]'), 'gu');

const tokensOf = (text: string): string[] => compatible(text).toLowerCase().replaceAll('’', "'").match(words) ?? [];

/** The conditions on words of a definition. */
const conditionsOn = ({ when }: RuleDefinition) =>
  placed(when).flatMap(({ place, condition }) => {
    const words = wordsIn(condition);
    return words === undefined ? [] : [{ place, phrases: words.any }];
  });

/** How long the phrases of a definition are, as they are compared. */
export const phraseCharacters = (definition: RuleDefinition): number =>
  conditionsOn(definition)
    .flatMap(({ phrases }) => phrases)
    .reduce((sum, phrase) => sum + compatible(phrase).length, 0);

function* phrasesOf(rules: readonly Phrased[]) {
  for (const { ruleId, definition } of rules)
    for (const { place, phrases } of conditionsOn(definition)) {
      const value: PhraseCondition = { ruleId, place };
      for (const phrase of phrases) yield { phrase, tokens: tokensOf(phrase), value };
    }
}

function* inWords(rules: readonly Phrased[]) {
  for (const { tokens, value } of phrasesOf(rules)) yield { symbols: tokens, value };
}

/** Phrases without letters and digits are looked for as they are written. */
function* inCharacters(rules: readonly Phrased[]) {
  for (const { phrase, tokens, value } of phrasesOf(rules))
    yield { symbols: tokens.length === 0 ? phrase.split('') : [], value };
}

export class RulePhrases {
  private constructor(
    private readonly words: PhraseAutomaton<PhraseCondition>,
    private readonly characters: PhraseAutomaton<PhraseCondition>,
  ) {}

  static async compile(rules: readonly Phrased[]): Promise<RulePhrases> {
    return new RulePhrases(
      await PhraseAutomaton.build(inWords(rules)),
      await PhraseAutomaton.build(inCharacters(rules)),
    );
  }

  get size(): number {
    return this.words.size + this.characters.size;
  }

  /** Reads a message; returns for each rule which of its conditions on words hold: whole words, in either case. */
  read(text: string): (ruleId: string) => Said {
    const found = [
      ...(this.words.isEmpty ? [] : this.words.found(tokensOf(text))),
      ...(this.characters.isEmpty ? [] : this.characters.found(text.split(''))),
    ];
    const byRule = new Map<string, Set<string>>();
    for (const { ruleId, place } of found) byRule.set(ruleId, (byRule.get(ruleId) ?? new Set()).add(place));
    return (ruleId) => byRule.get(ruleId) ?? nothingSaid;
  }
}
