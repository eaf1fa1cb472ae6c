/** Verdicts that follow from a rule and from facts, whatever they are: the promises of docs/rules.md. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concerns, decide, sanctionsIn } from '../../daemon/modules/rules/judging/decide.js';
import { isJudged, type JudgedMessage, messageFacts } from '../../daemon/modules/rules/judging/facts.js';
import { RulePhrases } from '../../daemon/modules/rules/judging/phrases.js';
import { RuleFacts, RuleVerdict } from '../../src/contract/rules/rule-decisions.js';
import { type RuleCondition, RuleDefinition } from '../../src/contract/rules/rule-definition.js';
import { AsrReport, type Message } from '../../src/contract/sessions/sessions.js';
import { scale } from '../support/scale.js';

const numRuns = scale(500, 10_000);
const said = ['frog', 'toad', 'go forward ten meters', 'newt'];
const plugins = ['toxicity', 'sentiment'];
const categories = ['insult', 'slur', 'negative'];
const places = ['all', 'any', 'none'].flatMap((list) => [0, 1, 2].map((index) => `${list}.${index}`));
const at = Date.parse('2026-06-01T12:00:00.000Z');

const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const within = fc.integer({ min: 1, max: 7_200 });
const atLeast = fc.integer({ min: 1, max: 3 });
const score = fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10);
const present = <T extends object>(one: fc.Arbitrary<T>) =>
  one.map((value) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)));

const condition: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    annotation: present(
      fc.record({
        plugin: optional(fc.constantFrom(...plugins)),
        category: optional(fc.constantFrom(...categories)),
        atLeast: optional(score),
        atMost: optional(score),
      }),
    ),
  }),
  fc.record({ words: fc.record({ any: fc.array(fc.constantFrom(...said), { minLength: 1, maxLength: 3 }) }) }),
  fc.record({ origin: fc.constantFrom('speech', 'text') }),
  fc.record({ confidence: fc.record({ atLeast: fc.constantFrom(0.2, 0.8) }) }),
  fc.record({ language: fc.constantFrom(['de'], ['pt-BR', 'en']) }),
  fc.record({ role: fc.array(fc.constantFrom('owner', 'member', 'none'), { minLength: 1, maxLength: 3 }) }),
  fc.record({
    sanctions: present(fc.record({ types: optional(fc.constant(['warn'])), within, atLeast })),
  }),
  fc.record({ gameEvents: fc.record({ event: fc.constant('kill-enemy'), within: fc.constant(60), atLeast }) }),
  fc.record({
    count: fc.record({
      of: fc.oneof(
        fc.record({ annotation: fc.record({ category: fc.constantFrom(...categories) }) }),
        fc.record({ words: fc.record({ any: fc.constant(['frog']) }), origin: fc.constant('text') }),
      ),
      by: fc.constantFrom('person', 'room'),
      within,
      atLeast: fc.integer({ min: 2, max: 3 }),
    }),
  }),
  fc.record({
    localTime: fc.record({
      from: fc.constantFrom('11:00', '23:00'),
      to: fc.constant('13:00'),
      timeZone: fc.constant('UTC'),
    }),
  }),
);
const action = fc.oneof(
  fc.constant({ sanction: { type: 'mute', duration: 60 } }),
  fc.constant({ review: {} }),
  fc.constant({ webhook: {} }),
);
const conditions = (min: number) => fc.array(condition, { minLength: min, maxLength: 3 });
const definition = fc
  .record({
    format: fc.constant(1),
    when: fc.record({ all: conditions(1), any: conditions(0), none: conditions(0) }),
    steps: fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
  })
  .map((value) => RuleDefinition.parse(value));

const times = fc.integer({ min: -8_000, max: 100 }).map((seconds) => new Date(at + seconds * 1_000).toISOString());
const facts = fc
  .record({
    at: fc.constant(new Date(at).toISOString()),
    messageId: fc.constant('m'),
    sessionId: fc.constant('s'),
    externalUserId: fc.constant('u'),
    origin: fc.constantFrom('speech', 'text', null),
    confidence: fc.constantFrom(0.5, 1, null),
    language: fc.constantFrom('de-AT', 'en', null),
    annotations: fc.array(
      fc.record({
        id: fc.uuid(),
        plugin: fc.constantFrom(...plugins),
        type: fc.constant('any'),
        score: fc.option(score),
        categories: fc.subarray(categories),
        scores: fc.dictionary(fc.constantFrom(...categories), score),
      }),
      { maxLength: 3 },
    ),
    role: fc.constantFrom('owner', 'member', 'none'),
    sanctions: fc.array(fc.record({ id: fc.uuid(), type: fc.constantFrom('warn', 'mute'), at: times }), {
      maxLength: 4,
    }),
    gameEvents: fc.integer({ min: 0, max: 4 }).map((count) => [{ event: 'kill-enemy', within: 60, count }]),
    counts: fc.integer({ min: 1, max: 4 }).map((count) => places.map((condition) => ({ condition, count }))),
    exempt: fc.boolean(),
    repeated: fc.boolean(),
    times: fc.integer({ min: 0, max: 6 }),
    sanctionsThisHour: fc.integer({ min: 0, max: 6 }),
    sanctionsPerHourMax: fc.integer({ min: 0, max: 8 }),
  })
  .map((value) => RuleFacts.parse(value));
const words = fc.constantFrom(...said, 'Frogs are fine', 'A FROG!', '');
const saidIn = async (rule: RuleDefinition, text: string) =>
  (await RulePhrases.compile([{ ruleId: 'r', definition: rule }])).read(text)('r');
const holding = async (rule: RuleDefinition, known: RuleFacts, text: string) => {
  const verdict = decide(rule, known, await saidIn(rule, text));
  if (verdict === null) throw new Error('Every fact is there.');
  const of = (list: string) => verdict.conditions.filter(({ condition: place }) => place.startsWith(list));
  const one = of('any');
  const all = of('all').every(({ holds }) => holds) && !of('none').some(({ holds }) => holds);
  return { verdict, holds: all && (one.length === 0 || one.some(({ holds }) => holds)) };
};

describe('a verdict', () => {
  it('is the same when it is made again from what was stored', async () => {
    await fc.assert(
      fc.asyncProperty(definition, facts, words, async (rule, known, text) => {
        const again = RuleDefinition.parse(JSON.parse(JSON.stringify(rule)));
        const stored = RuleFacts.parse(JSON.parse(JSON.stringify(known)));
        const verdict = decide(rule, known, await saidIn(rule, text));
        expect(decide(again, stored, await saidIn(again, text))).toEqual(verdict);
        expect(RuleVerdict.parse(JSON.parse(JSON.stringify(verdict)))).toEqual(verdict);
      }),
      { numRuns },
    );
  });

  it('acts where all hold, one of any, and none of none; on nobody exempt, on a message once, and up to the cap', async () => {
    await fc.assert(
      fc.asyncProperty(definition, facts, words, async (rule, known, text) => {
        const { verdict, holds } = await holding(rule, known, text);
        const step = Math.min(known.times + 1, rule.steps.length);
        const actions = rule.steps[step - 1] ?? [];
        const imposes = sanctionsIn(actions);
        const fits = imposes === 0 || known.sanctionsThisHour + imposes <= known.sanctionsPerHourMax;
        const acts = holds && !known.repeated && !known.exempt && fits;
        expect(verdict.outcome === 'matched').toBe(acts);
        expect(verdict).toMatchObject(acts ? { step, actions } : { step: null, actions: [] });
        expect(verdict.outcome === 'not_matched').toBe(!holds);
      }),
      { numRuns },
    );
  });

  it('of a message that a rule does not concern is never a match, whatever is known of the person', async () => {
    await fc.assert(
      fc.asyncProperty(definition, facts, words, async (rule, known, text) => {
        const said = await saidIn(rule, text);
        if (concerns(rule, { ...known, said })) return;
        expect(decide(rule, known, said)?.outcome).toBe('not_matched');
      }),
      { numRuns },
    );
  });

  it('cannot be made where a condition asks for words that are gone', async () => {
    await fc.assert(
      fc.asyncProperty(definition, facts, async (rule, known) => {
        const { all, any, none } = rule.when;
        const asks = [...all, ...any, ...none].some(
          ({ words: some, count }) => some !== undefined || (count?.of.words !== undefined && known.origin === 'text'),
        );
        expect(decide(rule, known, null) === null).toBe(asks);
      }),
      { numRuns },
    );
  });
});

describe('one condition', () => {
  const known = RuleFacts.parse({
    ...{ at: new Date(at).toISOString(), messageId: 'm', sessionId: 's', externalUserId: 'u' },
    ...{ origin: 'text', confidence: 1, language: 'de-AT' },
    annotations: [
      { id: 'a', plugin: 'toxicity', type: 'toxicity', score: 0.8, categories: ['insult'], scores: {} },
      { id: 'b', plugin: 'moderation-api', type: 'moderation', score: null, categories: [], scores: { hate: 0.4 } },
    ],
    role: 'member',
    sanctions: [{ id: 'c', type: 'warn', at: new Date(at - 60_000).toISOString() }],
    gameEvents: [{ event: 'kill-enemy', within: 60, count: 2 }],
    counts: [{ condition: 'all.0', count: 3 }],
    ...{ exempt: false, repeated: false, times: 0, sanctionsThisHour: 0, sanctionsPerHourMax: 1 },
  });
  const holds = async (one: RuleCondition, text = 'Go FORWARD, ten meters!') => {
    const rule = RuleDefinition.parse({ format: 1, when: { all: [one] }, steps: [[{ webhook: {} }]] });
    return decide(rule, known, await saidIn(rule, text))?.outcome;
  };

  it.each<[string, RuleCondition, boolean, string?]>([
    ['a word in another case', { words: { any: ['forward'] } }, true],
    ['a phrase with other marks between', { words: { any: ['forward ten'] } }, true],
    ['a part of a word', { words: { any: ['for'] } }, false],
    ['a word in quotation marks', { words: { any: ['forward'] } }, true, "go 'forward'"],
    ['a word behind an apostrophe', { words: { any: ['forward'] } }, true, "''forward"],
    ['an apostrophe inside a word, in either form', { words: { any: ["don't"] } }, true, 'I don’t know'],
    ['a word with a possessive ending', { words: { any: ['idiot'] } }, true, "that idiot's fault"],
    ['a word behind an elided article', { words: { any: ['idiot'] } }, true, 'quel l’idiot'],
    ['a word with an elided article, as it is listed', { words: { any: ["l'idiot"] } }, true, "l'idiot!"],
    ['a part of a word with an apostrophe', { words: { any: ['don'] } }, false, "I don't know"],
    ['a score that is high enough', { annotation: { plugin: 'toxicity', atLeast: 0.8 } }, true],
    ['a score that is too low', { annotation: { plugin: 'toxicity', atLeast: 0.81 } }, false],
    ['a category', { annotation: { category: 'insult' } }, true],
    ['the score of a category', { annotation: { category: 'hate', atLeast: 0.3 } }, true],
    ['a category that is only scored', { annotation: { category: 'hate' } }, false],
    ['a sanction at the edge of the time', { sanctions: { within: 61, atLeast: 1 } }, true],
    ['a sanction before the time', { sanctions: { within: 60, atLeast: 1 } }, false],
    ['too few game events', { gameEvents: { event: 'kill-enemy', within: 60, atLeast: 3 } }, false],
    ['so many messages', { count: { of: { words: { any: ['ten'] } }, by: 'person', within: 60, atLeast: 3 } }, true],
    ['too few messages', { count: { of: { words: { any: ['ten'] } }, by: 'person', within: 60, atLeast: 4 } }, false],
    [
      'a message that does not count',
      { count: { of: { words: { any: ['ten'] }, origin: 'speech' }, by: 'person', within: 60, atLeast: 2 } },
      false,
    ],
    ['hours of the day', { localTime: { from: '14:00', to: '14:01', timeZone: 'Europe/Berlin' } }, true],
    ['other hours', { localTime: { from: '14:01', to: '14:00', timeZone: 'Europe/Berlin' } }, false],
    ['the role', { role: ['member', 'none'] }, true],
    ['another origin', { origin: 'speech' }, false],
    ['what was written: it is certain', { confidence: { atLeast: 1 } }, true],
    ['the same as too certain', { confidence: { atMost: 0.9 } }, false],
    ['the language, of any region', { language: ['fr', 'de'] }, true],
    ['the language of another region', { language: ['de-CH', 'en'] }, false],
    [
      'a count in another language',
      { count: { of: { language: ['en'] }, by: 'person', within: 60, atLeast: 2 } },
      false,
    ],
    ['signs as they are written', { words: { any: ['<<>>'] } }, false, 'a <> b << >> c'],
    ['a sign without letters', { words: { any: ['🐸'] } }, true, 'x🐸y'],
    ['a letter that stands for a sentence', { words: { any: ['ﷺ'] } }, true, 'a ﷺ b'],
    ['styled letters', { words: { any: ['frog'] } }, true, 'a 𝓯𝓻𝓸𝓰'],
  ])('%s', async (_, one, expected, text) => {
    expect(await holds(one, text)).toBe(expected ? 'matched' : 'not_matched');
  });
});

describe('messageFacts', () => {
  const spoken = { origin: 'speech', asr: AsrReport.parse({ engine: 'e', quality: 'good', confidence: 0.3 }) } as const;
  it.each([
    ['what the recogniser says', spoken, 0.3],
    ['nothing where it does not say', { ...spoken, asr: AsrReport.parse({ engine: 'e', quality: 'good' }) }, null],
    ['certainty for what was written', { origin: 'text', asr: null }, 1],
  ] as const)('have %s', (_, message, confidence) => {
    const said = { timestamp: new Date(at).toISOString(), language: 'de', ...message } as JudgedMessage;
    expect(messageFacts(said, new Set())).toMatchObject({ confidence, language: 'de' });
  });

  it('are not asked for where the line is unheard', () => {
    const line = { type: 'user', externalUserId: 'u', status: 'recognised', ...spoken } as Message;
    expect(isJudged(line)).toBe(true);
    expect(isJudged({ ...line, asr: { ...spoken.asr, unheard: 'phantom' } })).toBe(false);
  });
});
