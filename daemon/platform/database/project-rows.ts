/** Deletes the rows of a deleted project; small tables follow its own row by foreign key. */
import type { ProjectRemovalSteps } from '../module.js';
import type { Database } from './database.js';
import { dataMap } from './generated/data-map.js';
import { deleteSome, equal, hasAny } from './mapped-tables.js';

/** Each after the tables that refer to it. */
const large = dataMap.filter(({ project }) => project?.inBatches);

export const projectRows = (database: Database): ProjectRemovalSteps => ({
  async removeSome(projectId) {
    const rows = equal('projectId', projectId);
    for (const table of large)
      if (await hasAny(database.read, database.dialect, table, rows))
        return database.transaction((tx) => deleteSome(tx, database.dialect, table, rows));
    return 0;
  },
});
