/** Projects that were deleted and whose rows still exist. */
import type { Database } from '../../../platform/database/database.js';

export interface DeletedProject {
  readonly id: string;
  readonly billingProjectId: string;
}

export class RemovalStore {
  constructor(private readonly database: Database) {}

  /** The one that has waited longest, of all but these. */
  next = (except: ReadonlySet<string>): Promise<DeletedProject | null> =>
    this.database.read.project.findFirst({
      where: { deletedAt: { not: null }, id: { notIn: [...except] } },
      orderBy: { deletedAt: 'asc' },
      select: { id: true, billingProjectId: true },
    });

  dropLeftovers = (): Promise<void> => this.database.dropLeftovers();

  /** Deletes the project's own row; small tables follow by foreign key. */
  async finish({ id, billingProjectId }: DeletedProject): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.project.deleteMany({ where: { id } });
      await tx.billingAccount.deleteMany({ where: { billingProjectId } });
    });
  }
}
