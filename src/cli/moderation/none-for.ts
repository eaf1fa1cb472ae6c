/** Why a queue has nothing for the caller. */
import { StateError } from '../../terminal/state-error.js';

/** Returns the refusal. `open`: how many there are all the same, for others to decide. */
export const noneFor = (what: 'case' | 'review', open: number): StateError =>
  new StateError(open === 0 ? 'queue_empty' : 'queue_not_yours', reasonFor(what, open));

function reasonFor(what: 'case' | 'review', open: number): string {
  if (open === 0) return `No ${what} is open.`;
  const [are, them] = open === 1 ? [`${what} is`, 'it'] : [`${what}s are`, 'them'];
  const who =
    what === 'review'
      ? 'an appeal is for somebody who is logged in and did not impose the sanction'
      : 'somebody else has claimed it, or it is for a higher role';
  return `${open} ${are} open, and you may not decide ${them}: ${who}. \`earshot ${what}s list\` shows ${them}.`;
}
