/** Words and phrases of rules: prepared once for all rules of a project, and found by one reading of a message. */
import type { RuleDefinition } from '../../../../src/contract/rules/rule-definition.js';
import { compatible } from '../../../platform/text/compatible.js';
import { PhraseAutomaton } from '../../../platform/text/phrase-automaton.js';
import { entryOf, type ReadWord, readingsOf, readSigns } from '../../../platform/text/reader.js';
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

/** Entries of the definition that no text can hold. */
export const emptyPhrases = (definition: RuleDefinition) =>
  conditionsOn(definition).flatMap(({ place, phrases }) =>
    phrases.flatMap((phrase, index) => (entryOf(phrase) === null ? [{ place, index, phrase }] : [])),
  );

function* entriesOf(rules: readonly Phrased[], of: 'words' | 'signs') {
  for (const { ruleId, definition } of rules)
    for (const { place, phrases } of conditionsOn(definition)) {
      const value: PhraseCondition = { ruleId, place };
      for (const phrase of phrases) {
        const entry = entryOf(phrase);
        if (entry !== null && of in entry) yield { symbols: 'words' in entry ? entry.words : entry.signs, value };
      }
    }
}

const texts = (read: readonly ReadWord[]): string[] => read.map(({ text }) => text);

export class RulePhrases {
  private constructor(
    private readonly words: PhraseAutomaton<PhraseCondition>,
    private readonly signs: PhraseAutomaton<PhraseCondition>,
  ) {}

  static async compile(rules: readonly Phrased[]): Promise<RulePhrases> {
    return new RulePhrases(
      await PhraseAutomaton.build(entriesOf(rules, 'words')),
      await PhraseAutomaton.build(entriesOf(rules, 'signs')),
    );
  }

  get size(): number {
    return this.words.size + this.signs.size;
  }

  /** Reads a message; returns for each rule which of its conditions on words hold. */
  read(text: string): (ruleId: string) => Said {
    const found = [
      ...(this.words.isEmpty ? [] : readingsOf(text).flatMap((read) => [...this.words.found(texts(read))])),
      ...(this.signs.isEmpty ? [] : this.signs.found(texts(readSigns(text)))),
    ];
    const byRule = new Map<string, Set<string>>();
    for (const { ruleId, place } of found) byRule.set(ruleId, (byRule.get(ruleId) ?? new Set()).add(place));
    return (ruleId) => byRule.get(ruleId) ?? nothingSaid;
  }
}
