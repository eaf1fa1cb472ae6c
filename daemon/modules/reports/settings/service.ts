/** Settings of reports; what a project has not set has its default. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  defaultCategories,
  type ReportCategory,
  type ReportSettings,
  type UpdateReportSettingsRequest,
} from '../../../../src/contract/reports/report-settings.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ReportSettingsStore, StoredReportSettings } from './settings-store.js';

const complete = ({
  categories = [...defaultCategories],
  confirmPermanentBans = false,
  confirmBansOver = null,
  evidenceSeconds = 0,
}: StoredReportSettings): ReportSettings => ({ categories, confirmPermanentBans, confirmBansOver, evidenceSeconds });

/** A category that the project no longer has. */
const former = { weight: 1, goalHours: 24 };

/** Categories by name. */
export type ReportCategories = (name: string) => ReportCategory;

export class ReportSettingsService {
  constructor(
    private readonly database: Database,
    private readonly store: ReportSettingsStore,
    private readonly now: Clock,
  ) {}

  get = async (projectId: string): Promise<ReportSettings> => complete(await this.store.find(projectId));

  async update(projectId: string, request: UpdateReportSettingsRequest): Promise<ReportSettings> {
    return this.database.transaction(async (tx) => {
      await this.database.takeTurn(tx, `report-settings:${projectId}`); // two changes at once would lose one
      const { categories: _, ...rest } = request;
      const stored: StoredReportSettings = { ...(await this.store.find(projectId, tx)), ...rest };
      if (request.categories === null) delete stored.categories;
      else if (request.categories !== undefined) stored.categories = request.categories;
      await this.store.set(tx, projectId, stored, this.now());
      return complete(stored);
    });
  }

  /** Returns the category of a name, whether the project still has it or not. */
  async categoriesOf(tx: Transaction, projectId: string): Promise<ReportCategories> {
    const { categories } = complete(await this.store.find(projectId, tx));
    return (name) => categories.find((one) => one.name === name) ?? { name, ...former };
  }

  /** Throws report_category_unknown. */
  async requireCategory(projectId: string, name: string): Promise<ReportCategory> {
    const { categories } = await this.get(projectId);
    const found = categories.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = categories.map((one) => one.name).join(', ');
    throw new DomainError('report_category_unknown', {
      message: `The project has no category ${name}. Its categories are: ${names}.`,
    });
  }
}
