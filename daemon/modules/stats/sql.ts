/** The set-based statements of counts by day. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

export const dayRows = bulkRows('ModerationDay');

const joinedDays = (dialect: Dialect, count: string): string =>
  // Without a WHERE, SQLite takes ON CONFLICT for the condition of a join.
  `${dayRows.insert(dialect)} WHERE TRUE
    ON CONFLICT ("projectId", "day", "what", "key") DO UPDATE SET "count" = ${count}`;

/** Counts are added to those that there are. */
export const addedDays = (dialect: Dialect): string =>
  joinedDays(dialect, '"ModerationDay"."count" + excluded."count"');

/** The larger of two counts stays. */
export const raisedDays = (dialect: Dialect): string =>
  joinedDays(dialect, `${dialect === 'sqlite' ? 'max' : 'greatest'}("ModerationDay"."count", excluded."count")`);
