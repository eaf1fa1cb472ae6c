import { ToxicityMatcher } from '../../../daemon/modules/plugins/catalogue/toxicity/matcher.js';
import { ToxicitySettings } from '../../../daemon/modules/plugins/catalogue/toxicity/settings.js';
import { RulePhrases } from '../../../daemon/modules/rules/judging/phrases.js';
import { marksIn, phrasesOf, wordsOf } from '../../../daemon/modules/sessions/search/search-words.js';
import { PhraseAutomaton } from '../../../daemon/platform/text/phrase-automaton.js';
import { isVisible } from '../../../src/contract/common.js';
import { RuleDefinition } from '../../../src/contract/rules/rule-definition.js';
import { foldAccents, foldCase, isPartOf } from '../../../src/text/fold.js';
import { harmless, harmlessLines } from '../../../src/text/printable.js';
import { type FuzzTarget, hold } from '../engine/target.js';

/** Longest message, in characters of at most four bytes. */
const messageBytesMax = 16_000;
const matcher = new ToxicityMatcher();
const settings = ToxicitySettings.parse({ words: ['cheater', 'noob team'], allow: ['hell'] });
const definition = RuleDefinition.parse({
  format: 1,
  when: { any: [{ words: { any: ['buy gold', 'don’t', ':-(', 'STRASSE'] } }] },
  steps: [[{ review: {} }]],
});
const phrases = RulePhrases.compile([{ ruleId: 'r', definition }]);

const parse = async (input: Buffer) => {
  const text = input.toString('utf8');
  return {
    text,
    words: wordsOf(text),
    marks: marksIn(text, phrasesOf(text.slice(0, 40))),
    said: (await phrases).read(text)('r'),
    toxic: matcher.judge(text, 'text', settings),
    shown: [harmless(text), harmlessLines(text), foldCase(text), foldAccents(text), isVisible(text)] as const,
  };
};

const isInOrder = (stretches: readonly { readonly start: number; readonly end: number }[], length: number): boolean =>
  stretches.every(({ start, end }) => start >= 0 && start < end && end <= length);

/** Chat messages, as search, rules and toxicity read them. */
export const chat: FuzzTarget = {
  name: 'chat',
  maxBytes: messageBytesMax,
  parse,
  async check(input) {
    const { text, words, marks, toxic, shown } = await parse(input);
    hold(isInOrder(words, text.length), 'Words lie in the text.', words);
    hold(isInOrder(marks, text.length), 'Marks lie in the text.', marks);
    hold(
      marks.every(({ end }, index) => end < (marks[index + 1]?.start ?? Infinity)),
      'Marks do not overlap.',
      marks,
    );
    hold(isInOrder(toxic.spans, text.length), 'Toxic parts lie in the text.', toxic);
    hold(
      toxic.score >= 0 && toxic.score <= 1 && toxic.spans.length > 0 === toxic.score > 0,
      'A score is 0 to 1.',
      toxic,
    );
    hold(
      !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(shown[0]),
      'Nothing in a shown line controls a terminal.',
      shown[0],
    );
    hold(!/[^\P{Cc}\n\t]/u.test(shown[1]), 'Nothing in shown lines controls a terminal.', shown[1]);
    for (const { text: word } of words.slice(0, 20)) {
      const [phrase] = phrasesOf(`"${word}"`);
      hold(phrase !== undefined, 'A word can be searched for.', word);
    }
    hold(isPartOf(text, text), 'A text contains itself.');
    // As many phrases as there are words, found by the automaton and one by one.
    const symbols = text.slice(0, 60).split('');
    const asked = [symbols.slice(0, 2), symbols.slice(1, 4), symbols.slice(3, 4), symbols.slice(-2)].filter(
      (one) => one.length > 0,
    );
    const found = PhraseAutomaton.small(asked.map((one, index) => ({ symbols: one, value: index }))).found(
      text.split(''),
    );
    hold(found.size === asked.length, 'The automaton finds what is there.', asked, [...found]);
  },
  seeds: [
    'buy gold now! you cheater, i d i o t :-(',
    "Don't hell Straße ἀρχή ﷺ",
    '東京タワーへ行く 안녕하세요 ภาษาไทย 123',
    '"quoted words"* and pre* 1d10t f.u.c.k @$$',
    'e\u0301a\u0316 \u202eabc\u0007 \ufb01 ½ ①',
  ],
  words: [
    ...[
      '\u0301',
      '\u0316',
      '\u0345',
      '\u05b0',
      '\u3099',
      '\u1161',
      '\u11a8',
      '\u200d',
      '\u034f',
      '\u00ad',
      'ς',
      'ß',
      'İ',
      'ŉ',
    ],
    ...[
      'ﷺ',
      '﷽',
      'ﬃ',
      '½',
      '々',
      'ー',
      'の',
      '漢',
      'ก',
      'ရ',
      "'",
      '’',
      '"',
      '*',
      '@',
      '$',
      '!',
      ' ',
      '.',
      'buy gold',
      'idiot',
    ],
    ...['kill yourself', 'noob team', ':-(', '\ud83d\ude00'],
  ],
};
