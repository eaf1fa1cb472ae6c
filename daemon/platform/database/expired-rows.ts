/** Deletes rows whose time is over, by the data map. */
import type { Settings } from '../config/schema.js';
import type { PersonalData } from '../scheduler/keep-personal-data.js';
import type { Clock } from '../time/clock.js';
import { dayMs } from '../time/spans.js';
import type { Database } from './database.js';
import { sqlTime } from './dialect.js';
import { dataMap } from './generated/data-map.js';
import { notHeld } from './held-ids.js';
import { notKept } from './kept-ids.js';
import { all, deleteSome, hasAny } from './mapped-tables.js';

export const expiredRows = (database: Database, settings: Settings, now: Clock): PersonalData[] =>
  dataMap.flatMap((table) => {
    if (table.keep === null) return [];
    const { by, setting, ms, holding } = table.keep;
    const prune = async (limit: number): Promise<number> => {
      const keptMs = setting === null ? ms : settings[setting] * dayMs;
      const is = keptMs === 0 ? '<=' : '<'; // an end is the first moment that is over
      const over = { text: `"${by}" ${is} ?`, values: [sqlTime(new Date(now().getTime() - keptMs))] };
      const isFree = [notHeld(table.name, holding), notKept(table.name, holding)];
      const expired = holding.length === 0 ? over : all(over, ...isFree);
      if (!(await hasAny(database.read, database.dialect, table, expired))) return 0;
      return database.transaction(async (tx) =>
        (await database.isAlone(tx, `expired:${table.name}`))
          ? deleteSome(tx, database.dialect, table, expired, limit)
          : 0,
      );
    };
    return [{ kind: table.name, prune }];
  });
