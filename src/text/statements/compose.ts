/** Writes a statement of reasons for the person: everything that Regulation (EU) 2022/2065, Article 17(3), asks for. Pure. */
import { kindOf, type ToldType } from '../../contract/moderation/sanction-kinds.js';
import { parameterDefaults, type SanctionParameters } from '../../contract/moderation/sanction-parameters.js';
import type { StatementOfReasons } from '../../contract/moderation/statements.js';
import { wordsIn } from './languages.js';
import type { StatementWords } from './words.js';

export type StatementFacts = Omit<
  StatementOfReasons,
  'type' | 'game' | 'operator' | 'language' | 'title' | 'text' | 'url'
> & {
  readonly type: ToldType;
  readonly parameters: SanctionParameters | null;
  /** The person is under age, and reads simpler sentences. */
  readonly minor: boolean;
};

/** Making a formatter takes longer than writing the rest. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function timeIn(language: string, time: string): string {
  const known = formats.get(language);
  const format = known ?? new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  if (known === undefined) formats.set(language, format);
  return `${format.format(new Date(time))} UTC`;
}

const amountOf = ({ type, parameters }: StatementFacts): number => {
  const { parameter } = kindOf(type);
  return parameter === null ? 0 : Number(parameters?.[parameter] ?? parameterDefaults[parameter]);
};

/** @param language one that `chosenLanguage` returns */
export function composed(facts: StatementFacts, language: string): { title: string; text: string } {
  const all = wordsIn(language);
  const words = facts.minor ? { ...all, ...all.forMinors } : all;
  const at = (time: string) => timeIn(language, time);
  const paragraphs = [
    [...duration(facts, words, at), ...(facts.sessionOnly ? [words.sessionOnly] : []), ...held(facts, words)],
    [facts.facts === null || facts.facts === '' ? words.noFacts : words.facts(facts.facts)],
    [
      words.sources[facts.source],
      ...(facts.automatedDetection ? [words.automatedDetection] : []),
      decision(facts, words),
    ],
    [ground(facts, words), ...(facts.ground?.explanation === undefined ? [] : [facts.ground.explanation])],
    [...inName(facts, all), appeal(facts, words, at)],
    [words.otherRedress],
  ];
  return {
    title: title(facts, words),
    text: paragraphs.map((sentences) => sentences.join(' ')).join('\n'),
  };
}

/** What holds against the person now; of what is over, that it is over. A warning was given, whatever came after it. */
function title(facts: StatementFacts, words: StatementWords): string {
  const { type, status } = facts;
  if (status === 'revoked') return words.titleRevoked(words.kinds[type]);
  // A shadow mute is told once it has ended, and its heading says so.
  if (status === 'expired' && !kindOf(type).isMomentary && kindOf(type).told === 'at_once')
    return words.titleEnded(words.kinds[type]);
  return words.titles[type](amountOf(facts));
}

/** A warning has no duration. */
function duration(
  { type, startAt, endAt, status }: StatementFacts,
  words: StatementWords,
  at: (time: string) => string,
): string[] {
  if (status === 'revoked') return [words.revoked];
  if (kindOf(type).isMomentary) return [at(startAt)];
  if (status === 'expired' && endAt !== null) return [words.ended(at(endAt))];
  return [endAt === null ? words.endless(at(startAt)) : words.until(at(startAt), at(endAt))];
}

const held = ({ parameters, status }: StatementFacts, words: StatementWords): string[] =>
  parameters?.holdsProgress === true && status === 'active' ? [words.progressHeld] : [];

function decision({ decidedBy }: StatementFacts, words: StatementWords): string {
  if (decidedBy === 'both') return words.jointDecision;
  return decidedBy === 'program' ? words.automatedDecision : words.humanDecision;
}

function ground({ ground: against, status }: StatementFacts, words: StatementWords): string {
  const { law, terms, rules } = status === 'revoked' ? words.groundsRevoked : words.grounds;
  if (against === null) return rules;
  return against.kind === 'law' ? law(against.reference) : terms(against.reference);
}

/** An appeal that somebody else made for the person. */
function inName({ appeal: { inName: made } }: StatementFacts, words: StatementWords): string[] {
  if (made === null) return [];
  const answer = made.answer ?? '–';
  if (made.decision === null) return [words.appealInName];
  return [made.decision === 'upheld' ? words.appealInNameUpheld(answer) : words.appealInNameOverturned(answer)];
}

function appeal({ appeal: made }: StatementFacts, words: StatementWords, at: (time: string) => string): string {
  if (made.state === 'waiting') return words.appealWaiting;
  if (made.state === 'over') return words.appealOver;
  if (made.state === 'possible') return made.until === null ? words.appealAnyTime : words.appealUntil(at(made.until));
  const answer = made.answer ?? '–';
  return made.decision === 'overturned' ? words.appealOverturned(answer) : words.appealUpheld(answer);
}
