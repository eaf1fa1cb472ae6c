/** Entries that name an external user id are about whoever had it then: a move frees the id for somebody else. */
import type { HeldId } from '../../platform/person-records.js';

/** Selects the ids of entries that were made while the person had the id. */
export const madeWhileHeld = ({ firstId, firstIdAfter }: HeldId) => ({
  ...(firstId === null ? {} : { gte: firstId }),
  ...(firstIdAfter === null ? {} : { lt: firstIdAfter }),
});
