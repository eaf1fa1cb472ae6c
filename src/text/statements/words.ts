/** Words of statements of reasons, in one language. A further language is a file beside `en.ts`, named in `languages.ts`. */

import type { ToldType } from '../../contract/moderation/sanction-kinds.js';
import type { StatementSource } from '../../contract/moderation/statement-basis.js';

/** Sentences that are simpler for children and young people: short, without terms of law. */
type MinorsWords = Pick<
  StatementWords,
  | 'facts'
  | 'noFacts'
  | 'sources'
  | 'automatedDetection'
  | 'automatedDecision'
  | 'humanDecision'
  | 'jointDecision'
  | 'grounds'
  | 'groundsRevoked'
  | 'appealUntil'
  | 'appealAnyTime'
  | 'appealOver'
  | 'appealWaiting'
  | 'appealUpheld'
  | 'appealOverturned'
  | 'otherRedress'
>;

/** What somebody's act is against. */
interface GroundWords {
  readonly law: (reference: string) => string;
  readonly terms: (reference: string) => string;
  readonly rules: string;
}

export interface StatementWords {
  /** What is restricted, as a heading. `amount` is the number of kinds that have one. */
  readonly titles: Readonly<Record<ToldType, (amount: number) => string>>;
  /** Names of the kinds, for headings of what no longer applies. */
  readonly kinds: Readonly<Record<ToldType, string>>;
  readonly titleEnded: (kind: string) => string;
  readonly titleRevoked: (kind: string) => string;
  readonly sessionOnly: string;
  /** The sentence for a ranked restriction that holds progress. */
  readonly progressHeld: string;
  readonly until: (from: string, to: string) => string;
  readonly endless: (from: string) => string;
  readonly ended: (at: string) => string;
  readonly revoked: string;
  readonly facts: (reason: string) => string;
  readonly noFacts: string;
  readonly sources: Readonly<Record<StatementSource, string>>;
  readonly automatedDetection: string;
  readonly automatedDecision: string;
  readonly humanDecision: string;
  /** A program proposed it, and a person confirmed it. */
  readonly jointDecision: string;
  readonly grounds: GroundWords;
  /** Of what has been revoked: what it was taken to be. */
  readonly groundsRevoked: GroundWords;
  readonly appealUntil: (until: string) => string;
  readonly appealAnyTime: string;
  readonly appealOver: string;
  readonly appealWaiting: string;
  readonly appealUpheld: (answer: string) => string;
  readonly appealOverturned: (answer: string) => string;
  /** Of an appeal that the team or the game made for the person. */
  readonly appealInName: string;
  readonly appealInNameUpheld: (answer: string) => string;
  readonly appealInNameOverturned: (answer: string) => string;
  readonly otherRedress: string;
  /** What is said instead to somebody under age. */
  readonly forMinors: MinorsWords;
  /** Labels of the page. */
  readonly page: {
    readonly refused: string;
    readonly show: string;
    readonly operator: (game: string, operator: string) => string;
    readonly remaining: string;
    readonly appeal: string;
    readonly appealHint: string;
    readonly send: string;
    readonly sent: string;
    readonly print: string;
    readonly notices: string;
    readonly language: string;
    readonly incomplete: string;
  };
}
