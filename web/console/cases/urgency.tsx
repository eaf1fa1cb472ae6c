/** How urgent a case is, and why, in words: a bare number says nothing to whoever has not seen many. */
import type { Case } from '../../../src/contract/reports/cases.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';

/** Points from which on a case is so urgent; an order of an authority alone has the most. */
const levels = [
  ['urgent', 'bad', 48],
  ['high', 'warn', 24],
  ['normal', 'accent', 8],
] as const;

const levelOf = ({ priority, missedAt }: Case) =>
  levels.find(([, , points]) => priority >= points || missedAt !== null) ?? (['low', ''] as const);

/** Urgent as well: what missed its goal. */
export function Urgency({ of }: { readonly of: Case }) {
  const { cases: words } = useWords();
  const [level, tone] = levelOf(of);
  return (
    <span className={`badge ${tone}`} title={`${words.priority}: ${of.priority.toFixed(1)}`}>
      {words.urgency[level]}
    </span>
  );
}

/** `2 reports by 2 people, 1 review, speaking now`. */
export function reasonsOf(
  { cases: { reasons, speaking } }: FirstWords,
  { reports, reporters, trusted, orders, brigaded, reviews, blockers, ...found }: Case,
): string {
  return [
    ...(orders > 0 ? [reasons.orders(orders)] : []),
    ...(trusted > 0 ? [reasons.trusted(trusted)] : []),
    ...(reports > 0 ? [reasons.reports(reports, reporters)] : []),
    ...(brigaded > 0 ? [reasons.brigaded(brigaded)] : []),
    ...(reviews > 0 ? [reasons.reviews(reviews)] : []),
    ...(blockers > 0 ? [reasons.blockers(blockers)] : []),
    ...(found.speaking ? [speaking] : []),
  ].join(', ');
}
