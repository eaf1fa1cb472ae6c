/** Figures of moderation, counted from the event log by day. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import type { Moderation } from '../moderation/module.js';
import { figureOperations } from './admin-operations.js';
import { DayStore } from './days/day-store.js';
import { DayFolding } from './days/folding.js';
import { statsRouter } from './routes.js';
import { StatsService } from './service.js';
import { StatementExport } from './statements/export.js';
import { TransparencyService } from './transparency.js';

/** Whoever asks for figures counts what is new; this only keeps up with the deletion of old events. */
const everyMs = 3_600_000;

interface StatsNeeds {
  readonly moderation: Moderation;
}

export { countFigures } from './admin-operations.js';

export function statsModule(
  { database, log, jobs, now }: Platform,
  records: Records,
  { moderation }: StatsNeeds,
): Module {
  const days = new DayStore(database);
  const { store: projects } = records.projects;
  const { store: sanctions } = records.moderation;
  const accounts = records.identity.directory;
  const { directory: sessions, messages } = records.sessions;
  const folding = new DayFolding({
    database,
    log,
    days,
    projects,
    accounts,
    sanctions,
    sessions,
    messages,
    now,
  });
  const stats = new StatsService({
    ...{ days, folding, projects, accounts, sanctions, now },
    ...{ rules: records.rules.store, reports: records.reports.reports },
  });
  const { templates } = moderation;
  const statements = new StatementExport({ sanctions, templates });
  const transparency = new TransparencyService({ days, folding, projects: records.projects.settingsStore, now });
  return {
    name: 'stats',
    routes: statsRouter({ stats, folding, statements, transparency }),
    parts: [
      modulePart(
        'count-moderation',
        jobs.repeat('count-moderation', everyMs, async () => void (await folding.foldAll())),
        { role: 'jobs' },
      ),
    ],
    operations: figureOperations(folding),
    person: {
      // What names the person is counted before it is erased.
      inBatches: async (projectId) => {
        await folding.fold(projectId);
      },
      afterCommit: async () => {
        stats.forget();
        transparency.forget();
      },
    },
  };
}
