/** Words of statements of reasons, in one language. A further language is a file beside `en.ts`, named in `languages.ts`. */

import type { SanctionType } from '../../contract/moderation/sanction-record.js';
import type { StatementSource } from '../../contract/moderation/statement-basis.js';

/** Kinds that a person is told about. */
export type ToldType = Exclude<SanctionType, 'human_review'>;

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
  | 'law'
  | 'terms'
  | 'rules'
  | 'appealUntil'
  | 'appealAnyTime'
  | 'appealOver'
  | 'appealWaiting'
  | 'appealUpheld'
  | 'appealOverturned'
  | 'otherRedress'
>;

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
  readonly law: (reference: string) => string;
  readonly terms: (reference: string) => string;
  readonly rules: string;
  readonly appealUntil: (until: string) => string;
  readonly appealAnyTime: string;
  readonly appealOver: string;
  readonly appealWaiting: string;
  readonly appealUpheld: (answer: string) => string;
  readonly appealOverturned: (answer: string) => string;
  readonly otherRedress: string;
  /** What is said instead to somebody under age. */
  readonly forMinors: MinorsWords;
  /** Labels of the page. */
  readonly page: {
    readonly remaining: string;
    readonly appeal: string;
    readonly appealHint: string;
    readonly send: string;
    readonly sent: string;
    readonly print: string;
    readonly notices: string;
    readonly language: string;
    readonly incomplete: string;
    readonly unreachable: string;
  };
}
