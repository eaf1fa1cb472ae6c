/** Entries that name an external user id are about whoever had it then: a move frees the id for somebody else. */
import { firstIdAt } from '../../platform/ids/id-time.js';
import type { HeldId } from '../../platform/person-records.js';

/** Entries get their id when the call begins, so that of a move comes before the time of the move. */
const firstAfter = (time: Date): string => firstIdAt(time.getTime() + 1);

/** Selects the ids of entries that were made while the person had the id. */
export const madeWhileHeld = ({ since, until }: HeldId) => ({
  ...(since === null ? {} : { gte: firstAfter(since) }),
  ...(until === null ? {} : { lt: firstAfter(until) }),
});
