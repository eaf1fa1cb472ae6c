/** One table of inputs for everything that reads words: rules, lists of the plugin `toxicity`, the search, and the vocabulary. */
import { describe, expect, it } from 'vitest';
import { ToxicityMatcher } from '../../../daemon/modules/plugins/catalogue/toxicity/matcher.js';
import { ToxicitySettings } from '../../../daemon/modules/plugins/catalogue/toxicity/settings.js';
import { vocabularyFrom } from '../../../daemon/modules/projects/settings/vocabulary.js';
import { emptyPhrases, RulePhrases } from '../../../daemon/modules/rules/judging/phrases.js';
import { hasSigns, marksIn, phrasesOf } from '../../../daemon/modules/sessions/search/search-words.js';
import { entryOf, readWords } from '../../../daemon/platform/text/reader.js';
import { RuleDefinition } from '../../../src/contract/rules/rule-definition.js';
import { toxicWords } from '../../support/toxic-words.js';

const words: readonly (readonly [entry: string, text: string])[] = [
  // Scripts that write no spaces, and Korean particles.
  ['外挂', '有没有外挂卖'],
  ['日本', '日本語です'],
  ['バカ', 'バカ野郎'],
  ['ควาย', 'มึงควายมาก'],
  ['ໂງ່', 'ເຈົ້າໂງ່ຫຼາຍ'],
  ['치트', '치트를 팔아요'],
  ['치트', '치트에서는 안돼'],
  ['고양이', '고양이를 봤다'],
  ['QQ群', '加我QQ群吧'],
  // Case, folded whole.
  ['straße', 'in der STRASSE'],
  ['STRASSE', 'in der Straße'],
  ['ΣΟΦΟΣ', 'ο σοφός'.normalize('NFD').replace('\u0301', '')],
  ['idiot', 'ＩＤＩＯＴ'],
  ['idiot', '𝐢𝐝𝐢𝐨𝐭'],
  ['fine', 'ﬁne'],
  // What nobody sees.
  ['wallhack', 'wall\u00adhack'],
  ['wallhack', 'w\u200ball\u2060hack'],
  ['wallhack', 'wall\u3164hack'],
  ['wallhack', 'wall\u115fhack'],
  ['wallhack', 'wall\u1160hack'],
  ['wallhack', 'wall\uffa0hack'],
  ['wallhack', 'wall\ufe0fhack'],
  ['idiot', 'i\u0337d\u0337i\u0337o\u0337t\u0337'],
  // Letters that look alike, within a word of Latin letters.
  ['idiot', 'id\u0456ot'],
  ['idiot', 'idi\u03bft'],
  ['scam', 's\u0441am'],
  ['hack', 'h\u03b1ck'],
  // Markup inside words.
  ['fuck', '**f**uck'],
  ['fuck', 'f||u||ck'],
  ['fuck', 'f`u`ck'],
  ['fuck', '__f__uck'],
  ['fuck', '||fuck||'],
  ['idiot', 'you **i**diot'],
  ['idiot', 'you i`d`iot'],
  ['idiot', 'you ~~i~~diot'],
  ['idiot', 'you _idiot_'],
  ['idiot', 'id\u2800iot'],
  ['idiot', 'id\u3164iot'],
  // Endings, and elided articles.
  ['wallhack', "the wallhack's here"],
  ['wallhack', 'the wallhack’s here'],
  ['idiot', "l'idiot"],
  ["don't", 'i don’t know'],
  // Digits, and punctuation between words.
  ['1488', 'so 1488 it is'],
  ['cheap gold', 'cheap, gold'],
  ['buy-gold', 'buy gold'],
  ['idiot!', 'what an idiot'],
];

const notWords: readonly (readonly [entry: string, text: string])[] = [
  ['cat', 'concatenate'],
  ['外挂', '外面挂'],
  ['1488', '14889'],
  ['cop', 'сор'], // Russian: rubbish
  ['case', 'in casein'],
  ['치트', '배치트럭'],
  ['gold cheap', 'cheap gold'],
];

/** As they are written; what has no word cannot be searched for. */
const signs: readonly (readonly [entry: string, text: string, isThere: boolean])[] = [
  ['c++', 'i write C++11', true],
  ['c++', 'vitamin c is good', false],
  ['18+', 'this is 18+ only', true],
  ['18+', 'it is 118+', false],
  ['18+', 'i am 18', false],
  [':D', 'haha :D', true],
  [':D', 'look:Das', false],
  ['$$$', 'give me $$$!', true],
  ['$$$', 'it costs $5', false],
  ['🖕', 'you 🖕🏽 now', true],
  ['🖕', 'you 👍 now', false],
  ['.net', 'the .net way', true],
  ['.net', 'the net way', false],
];

const matcher = new ToxicityMatcher();
const ruleWith = (...all: readonly object[]) =>
  RuleDefinition.parse({ format: 1, when: { all }, steps: [[{ review: {} }]] });
const ruleOn = (any: readonly string[]) => ruleWith({ words: { any } });
const countOf = (any: readonly string[]) => ruleWith({ count: { of: { words: { any } }, within: 60, atLeast: 2 } });
const isInRule = async (definition: RuleDefinition, text: string): Promise<boolean> =>
  (await RulePhrases.compile([{ ruleId: 'r', definition }])).read(text)('r').size > 0;

/** Words that toxicity knows by itself; a project lists none. */
const known = ['idiot', 'fuck'];

const readers: Readonly<Record<string, (entry: string, text: string) => Promise<boolean> | boolean>> = {
  'a rule': (entry, text) => isInRule(ruleOn([entry]), text),
  'a rule that counts': (entry, text) => isInRule(countOf([entry]), text),
  'a list of toxicity': (entry, text) => {
    const settings = ToxicitySettings.parse({ categories: [], words: [entry] });
    return matcher.judge(text, 'text', settings).spans.some(({ category }) => category === 'listed');
  },
  'a list of toxicity in a language': async (entry, text) =>
    (await toxicWords(text, 'de', { wordsIn: { de: [entry] } })).length > 0,
};
describe('toxicity', () => {
  it.each(words.filter(([entry]) => known.includes(entry)))('knows %s in %s by itself', (_, text) => {
    expect(matcher.judge(text, 'text', ToxicitySettings.parse({})).score).toBeGreaterThan(0.5);
  });
});

/** What is allowed is seen as nothing else is: a listed word that holds the whole text is not annotated. */
const isAllowed = (entry: string, text: string): boolean => {
  const settings = ToxicitySettings.parse({ categories: [], words: [entry], allow: [entry] });
  return matcher.judge(text, 'text', settings).spans.length === 0;
};
const isFound = (entry: string, text: string): boolean => marksIn(text, phrasesOf(`"${entry}"`)).length > 0;

describe.each(Object.entries(readers))('%s', (_, reads) => {
  it.each(words)('finds %s in %s', async (entry, text) => expect(await reads(entry, text)).toBe(true));
  it.each(notWords)('does not find %s in %s', async (entry, text) => expect(await reads(entry, text)).toBe(false));
  it.each(signs)('reads %s in %s as it is written: %s', async (entry, text, isThere) =>
    expect(await reads(entry, text)).toBe(isThere),
  );
});

describe('the search', () => {
  it.each(words)('finds %s in %s', (entry, text) => expect(isFound(entry, text)).toBe(true));
  it.each(notWords)('does not find %s in %s', (entry, text) => expect(isFound(entry, text)).toBe(false));
});

describe('the search of words with signs', () => {
  const searchable = signs.filter(([entry]) => readWords(entry).length > 0);
  it.each([...searchable, ['(idiot)', 'what an idiot', true], ["'idiot'", 'idiot', true]] as const)(
    'reads %s in %s as it is written: %s',
    (entry, text, isThere) => {
      expect(hasSigns(text, phrasesOf(entry)) && isFound(entry, text)).toBe(isThere);
    },
  );
});

describe('what is allowed', () => {
  const written = signs.flatMap(([entry, text, isThere]) => (isThere ? [[entry, text] as const] : []));
  it.each([...words, ...written])('is %s in %s', (entry, text) => expect(isAllowed(entry, text)).toBe(true));
});

/** A vocabulary holds terms, not sentences: one that stands in the text is the term that is there already. */
describe('the vocabulary of the recogniser', () => {
  const isHeld = (entry: string, text: string): boolean => {
    const read = readWords(text);
    const terms = read.flatMap(({ start }, from) => read.slice(from).map(({ end }) => text.slice(start, end)));
    return terms.some((term) => vocabularyFrom([entry, term]).length === 1);
  };
  const isParticled = (text: string): boolean => /[가-힣]/.test(text);
  it.each(words)(
    'has %s once where it is written as in %s',
    (entry, text) => expect(isHeld(entry, text)).toBe(!isParticled(text)), // particles are no part of a term
  );
  it.each(notWords)('does not take %s for what is in %s', (entry, text) => expect(isHeld(entry, text)).toBe(false));
  it.each(signs)('keeps %s as it is written, where it can be said', (entry) => {
    const letters = readWords(entry).map(({ text }) => text);
    if (letters.length === 0) expect(() => vocabularyFrom([entry])).toThrow('not valid');
    else expect(vocabularyFrom([...letters, entry, entry])).toEqual([...letters, entry]);
  });
});

describe('an entry that no text can hold', () => {
  const fillers = ['\u200b', '\u3164', '\u00ad \u2060', '\u2800'];
  it.each(['', ' ', ...fillers])('is %j', (entry) => expect(entryOf(entry)).toBeNull());
  it.each([
    ['\u3164', '"\\u{3164}"'],
    ['\u00ad\u2060', '"\\u{ad}\\u{2060}"'],
  ])('is refused in every list, named: %j', (entry, named) => {
    const told = expect.stringContaining(`${named} holds nothing that a line`);
    for (const list of [{ words: ['fine', entry] }, { wordsIn: { de: ['fine', entry] } }, { allow: ['fine', entry] }])
      expect(ToxicitySettings.safeParse(list).error?.issues).toMatchObject([
        { path: expect.arrayContaining([1]), message: told },
      ]);
    expect(emptyPhrases(ruleOn(['fine', entry]))).toEqual([{ place: 'all.0', index: 1, phrase: entry }]);
    expect(() => vocabularyFrom(['fine', entry])).toThrow(
      expect.objectContaining({
        details: [{ path: 'body.speechVocabulary.1', message: `${named} has no word that anybody can say` }],
      }),
    );
  });
});
