/** Pure rules of the category of a case: the heaviest of what is in it, and the earliest deadline. */
import { appealsOnly } from '../../../../src/contract/reports/cases.js';
import { hourMs } from '../../../platform/time/spans.js';

export interface Category {
  readonly name: string;
  readonly weight: number;
  readonly goalHours: number;
}

/** A case without reports: what rules and appeals bring is looked at like a report of middling weight. */
export const reviewCategory: Category = { name: 'review', weight: 4, goalHours: 24 };
/** A case of appeals alone: it is looked at like others, but is no new case in the figures. */
export const appealCategory: Category = { ...reviewCategory, name: appealsOnly };
/** A case about a hidden measure against a minor. */
export const ofMinors: Category = { name: 'minors_safety', weight: 10, goalHours: 24 };

/** The category that a review brings into its case. */
export const categoryOfReview = (name: string): Category =>
  [ofMinors, appealCategory].find((one) => one.name === name) ?? reviewCategory;

type Weighed = Pick<Category, 'name' | 'weight'>;

const yielding = [appealCategory.name, reviewCategory.name];
const placeOf = ({ name }: Weighed): number => (yielding.includes(name) ? yielding.indexOf(name) : yielding.length);

/** The category of both together: appeals give way to reviews, these to every other, and the higher weight counts. */
function heavierOf(one: Weighed, other: Weighed): Weighed {
  const replaces = placeOf(one) === placeOf(other) ? other.weight > one.weight : placeOf(other) > placeOf(one);
  return { name: replaces ? other.name : one.name, weight: Math.max(one.weight, other.weight) };
}

/** Throws for none. */
export const heaviestOf = (categories: readonly Weighed[]): Weighed => categories.reduce(heavierOf);

interface Categorised {
  readonly category: string;
  readonly categoryWeight: number;
  readonly dueAt: Date;
}

/** The category and deadline of a case once something of this category has come into it at a time. */
export function heavier({ category, categoryWeight, dueAt }: Categorised, added: Category, at: Date): Categorised {
  const { name, weight } = heavierOf({ name: category, weight: categoryWeight }, added);
  const due = Math.min(dueAt.getTime(), at.getTime() + added.goalHours * hourMs);
  return { category: name, categoryWeight: weight, dueAt: new Date(due) };
}
