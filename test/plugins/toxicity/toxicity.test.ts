import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToxicityMatcher } from '../../../daemon/modules/plugins/catalogue/toxicity/matcher.js';
import { ToxicitySettings } from '../../../daemon/modules/plugins/catalogue/toxicity/settings.js';
import { toxicWords } from '../../support/toxic-words.js';
import { counted, labelledLines } from './labelled.js';

const matcher = new ToxicityMatcher();
const judge = (text: string, settings: object = {}, source: 'speech' | 'text' = 'text') =>
  matcher.judge(text, source, ToxicitySettings.parse(settings));

describe('on the labelled lines', () => {
  it.each(['lines', 'held-out'] as const)('%s: right in 95 of 100 alarms, and finds 90 of 100', (file) => {
    const { precision, recall } = counted(matcher, labelledLines(file));
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  it('finds most of what its author never saw, with few false alarms', () => {
    const { precision, recall } = counted(matcher, labelledLines('unseen'));
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.65);
  });

  it('are more than a thousand, each once, with a part held out', () => {
    const [seen, heldOut, unseen] = [labelledLines('lines'), labelledLines('held-out'), labelledLines('unseen')];
    const all = [...seen, ...heldOut, ...unseen].map(({ line }) => line.toLowerCase());
    const distinct = new Set(all);
    expect(distinct.size).toBe(all.length);
    expect(distinct.size).toBeGreaterThan(1_000);
    expect((heldOut.length + unseen.length) / distinct.size).toBeGreaterThanOrEqual(0.3);
  });
});

/** A harmless reading of a word stays with its phrase. */
const besideInnocents = [
  'you are the village idiot',
  'he is retarded',
  'what a bitch',
  'retarded ignition, you retard',
];

describe('what people reported', () => {
  it.each(['mf', 'scum', 'pathetic', 'you are dogwater', 'thats so gay', 'ijdiot', ...besideInnocents])(
    'finds %s',
    (line) => {
      expect(judge(line).score).toBeGreaterThanOrEqual(0.8);
    },
  );

  it.each([
    'we need to die on purpose to respawn',
    'he shot the cock of the rifle back',
    'shiitake mushrooms for dinner',
    'the idiot by Dostoevsky',
    'i am on the village idiot quest',
    'talk to the Village Idiot for the key',
    'the engine runs hot, retarded ignition',
    'my shitzu barks at the mic',
    'our labrador bitch had puppies',
    'a cocker spaniel, a cockapoo and a shih tzu',
    'our golden retriever bitch is in heat',
    'a pit bull, a schnauzer and a dachshund',
    'great tits and a cockatoo in the garden',
    'jackass penguins and blue-footed boobies',
  ])('leaves alone %s', (line) => {
    expect(judge(line).spans).toEqual([]);
  });
});

describe('what it answers', () => {
  it('names the part of the text, its category and the score', () => {
    const text = 'well played, you 1d10t';
    const { score, categories, spans } = judge(text);
    expect({ score, categories }).toEqual({ score: 0.8, categories: ['insult'] });
    expect(spans).toEqual([{ start: 17, end: 22, category: 'insult', word: '1d10t' }]);
  });

  it.each([
    ['a spelled word', 'hey i d i o t !', 'i d i o t'],
    ['letters from elsewhere', '🎮 you іdіоt 🎮', 'іdіоt'],
    ['invisible characters', 'x id\u200biot y', 'id\u200biot'],
    ['styled letters', 'a 𝓲𝓭𝓲𝓸𝓽 b', '𝓲𝓭𝓲𝓸𝓽'],
    ['a compound', 'what a clusterfuck, really', 'clusterfuck'],
    ['stars', 'oh sh*t!', 'sh*t'],
  ])('finds %s where it stands', (_name, text, word) => {
    const [span] = judge(text).spans;
    expect(span?.word).toBe(word);
    expect(text.slice(span?.start, span?.end)).toBe(word);
  });

  it('repeats no more than the beginning of an endless word', () => {
    const [span] = judge(`${'x'.repeat(5_000)}fuck`).spans;
    expect(span).toMatchObject({ start: 0, end: 5_004, word: 'x'.repeat(100) });
  });

  it('scores more the more there is, up to 1', () => {
    expect(judge('good game').score).toBe(0);
    expect(judge('fuck').score).toBe(0.6);
    expect(judge('fuck, you idiot').score).toBe(0.9);
    expect(judge('fuck you idiot bastard moron').score).toBe(1);
  });

  it('hears what the recogniser makes of an insult only in speech', () => {
    expect(judge('you are all loses', {}, 'speech').categories).toEqual(['insult']);
    expect(judge('you are all loses').score).toBe(0);
  });
});

describe('settings', () => {
  it('look for what the project asks for', () => {
    expect(judge('fuck, you idiot', { categories: ['insult'] }).categories).toEqual(['insult']);
    expect(judge('fuck, you idiot', { categories: [] }).spans).toEqual([]);
  });

  it('find words and phrases of the project, with the same tricks', () => {
    const words = ['forward', 'pay to win', 'дурак'];
    for (const text of [
      'go forward ten meters',
      'FORWARD!',
      'f o r w a r d',
      'f0rwaaard',
      'it is pay to win',
      'ты дурак',
    ])
      expect(judge(text, { words }).categories).toEqual(['listed']);
    expect(judge('forwarding, pay, to, winter', { words }).spans).toEqual([]);
  });

  it('find nothing in what the project allows', () => {
    expect(judge('idiot', { allow: ['idiot'] }).spans).toEqual([]);
    for (const text of ["the newt's fault", 'l’newt', "don't newt"])
      expect(judge(text, { words: ['newt'] }).spans.map(({ word }) => word)).toEqual(['newt']);
    expect(judge("I don't", { words: ['don'] }).spans).toEqual([]);
    expect(judge('our clan is Bad Bastards', { allow: ['bad bastards'] }).spans).toEqual([]);
    expect(judge('you bastards', { allow: ['bad bastards'] }).categories).toEqual(['insult']);
    expect(judge('sharp prick', { words: ['sharp'], allow: ['sharp prick'] }).spans).toEqual([]);
  });

  it('take a term as words, never as a pattern', () => {
    expect(judge('you win', { words: ['y.*', '(y|w)+', '[a-z]+'] }).spans).toEqual([]);
    expect(judge('you win', { words: ['@you are', '.*', '!lose'] }).spans).toEqual([]);
  });

  it('have limits', () => {
    expect(ToxicitySettings.safeParse({ words: Array(501).fill('x') }).success).toBe(false);
    expect(ToxicitySettings.safeParse({ allow: ['x'.repeat(101)] }).success).toBe(false);
    expect(ToxicitySettings.safeParse({ threshold: 2 }).success).toBe(false);
    expect(ToxicitySettings.safeParse({ categories: ['weather'] }).success).toBe(false);
  });
});

describe('any text', () => {
  it('is judged, and every span lies in it', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('idiot', 'f u c k', 'sh*t', 'you are trash', 'ѕһіt', '\ud83d', 'ﬁ', 'İ', 'kill yourself'),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom('text' as const, 'speech' as const),
        (pieces, source) => {
          const text = pieces.join(' ');
          const { spans, score } = judge(text, { words: ['idiot'], allow: ['trash'] }, source);
          for (const { start, end, word } of spans)
            expect(word).toBe(text.slice(start, Math.min(end, start + 100)).toWellFormed());
          expect(spans.every(({ start, end }) => 0 <= start && start < end && end <= text.length)).toBe(true);
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it.each([
    ['one letter', 'a'],
    ['spelled letters', 'f u '],
    ['words', 'fuck '],
    ['harmless words', 'prick of '],
    ['beginnings of phrases', 'you are so such just '],
    ['stars', 'f*'],
    ['look-alikes', 'ѕ'],
    ['marks', 'a\u0301\u0301\u0301'],
    ['listed and allowed words', 'forward march '],
  ])('of 100 kB is judged in bounded work: %s', (_name, piece) => {
    const settings = { words: ['forward'], allow: ['forward march', 'forward'] };
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(judge(text, settings).spans.length).toBeLessThanOrEqual(50);
    // The time limit of the suite ends what is quadratic: each of these takes some tenths of a second.
  });

  it('with lists as long as they may be', () => {
    const terms = Array.from({ length: 500 }, (_, place) => `ba ba ba ba ba x${place}`);
    const settings = { words: terms, allow: terms.map((term) => `${term}y`) };
    expect(judge('ba '.repeat(1_300), settings).spans).toEqual([]);
    expect(judge('a b c dd '.repeat(440), settings).spans).toEqual([]);
  });

  it('and refuses a term of more than six words', () => {
    expect(ToxicitySettings.safeParse({ words: ['one two three four five six'] }).success).toBe(true);
    expect(ToxicitySettings.safeParse({ words: ['one two three four five six seven'] }).success).toBe(false);
  });
});

describe('in the language of a line', () => {
  const settings = { wordsIn: { de: ['rübe'], fr: ['andouille'] } };

  it.each([
    ['de-AT', ['rübe']],
    ['fr', ['andouille']],
    ['en-GB', ['idiot']],
    ['es', []],
    [null, ['rübe', 'andouille', 'idiot']],
  ])('%s: finds %j', async (language, expected) => {
    expect(await toxicWords('du rübe, andouille, you idiot', language, settings)).toEqual(expected);
  });
});
