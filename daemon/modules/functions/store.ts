/** Rows of function settings. Secrets are sealed before they reach a row. */
import { z } from 'zod';
import type { Database, DatabaseClient, Transaction } from '../../platform/database/database.js';
import { lockRow } from '../../platform/database/row-lock.js';

const functionStates = ['inactive', 'changing', 'active', 'outdated', 'failed'] as const;
const State = z.enum(functionStates);
type FunctionSettingsRow = NonNullable<Awaited<ReturnType<Transaction['functionSettings']['findUnique']>>>;

/** Names of variables with their sealed values. */
const Environment = z.record(z.string(), z.string());

export interface FunctionRow extends Omit<FunctionSettingsRow, 'state' | 'environment'> {
  readonly state: z.infer<typeof State>;
  readonly environment: Readonly<Record<string, string>>;
}

const toRow = (row: FunctionSettingsRow): FunctionRow => ({
  ...row,
  state: State.parse(row.state),
  environment: Environment.parse(JSON.parse(row.environment)),
});

/** Returns the row of a project that has set nothing. */
export const emptyRow = (projectId: string, now: Date): FunctionRow => ({
  projectId,
  enabled: false,
  provider: null,
  address: null,
  credentials: null,
  resourcePackageId: null,
  locationId: null,
  environment: {},
  state: 'inactive',
  isHosted: false,
  message: null,
  activatedAt: null,
  changingSince: null,
  createdAt: now,
  updatedAt: now,
});

export class FunctionStore {
  constructor(private readonly database: Database) {}

  async find(projectId: string, client: DatabaseClient = this.database.read): Promise<FunctionRow | null> {
    const row = await client.functionSettings.findUnique({ where: { projectId } });
    return row === null ? null : toRow(row);
  }

  /** The row, locked until the transaction has ended. */
  async lock(tx: Transaction, projectId: string): Promise<FunctionRow | null> {
    await lockRow(tx, this.database.dialect, 'FunctionSettings', projectId, 'projectId');
    return this.find(projectId, tx);
  }

  async save(tx: Transaction, row: FunctionRow): Promise<void> {
    const data = { ...row, environment: JSON.stringify(row.environment) };
    await tx.functionSettings.upsert({ where: { projectId: row.projectId }, create: data, update: data });
  }
}
