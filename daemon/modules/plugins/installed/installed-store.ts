/** Rows of plugins that the operator installed. */
import { type WithValues, withJson } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';

export interface InstalledRow {
  readonly slug: string;
  readonly manifest: string;
  /** null: an HTTP endpoint. */
  readonly code: string | null;
  readonly secret: string | null;
  readonly installedAt: Date;
  readonly updatedAt: Date;
}

export class InstalledStore {
  constructor(private readonly database: Database) {}

  /** Without their code, which may be large. */
  list = (): Promise<Pick<InstalledRow, 'slug' | 'manifest'>[]> =>
    this.database.read.installedPlugin.findMany({ orderBy: { slug: 'asc' }, select: { slug: true, manifest: true } });

  find = (slug: string): Promise<InstalledRow | null> =>
    this.database.read.installedPlugin.findUnique({ where: { slug } });

  /** When the plugin was changed last; null: there is none. */
  async changedAt(slug: string): Promise<Date | null> {
    const where = { slug };
    return (
      (await this.database.read.installedPlugin.findUnique({ where, select: { updatedAt: true } }))?.updatedAt ?? null
    );
  }

  /** Installs it, or replaces the installed one. */
  put({ installedAt, ...values }: WithValues<InstalledRow, { readonly manifest: object }>, tx: Transaction) {
    const row = withJson(values, 'manifest');
    return tx.installedPlugin.upsert({ where: { slug: row.slug }, create: { ...row, installedAt }, update: row });
  }

  async remove(tx: Transaction, slug: string): Promise<boolean> {
    return (await tx.installedPlugin.deleteMany({ where: { slug } })).count > 0;
  }
}
