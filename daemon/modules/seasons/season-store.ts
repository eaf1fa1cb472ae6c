/** The season that was applied last. */
import { Season } from '../../../src/contract/gameplay/season.js';
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';

interface AppliedSeason {
  readonly season: Season;
  readonly appliedAt: Date;
}

/** Stored row of the season applied last; null: another version has stored it, in a form that this one cannot read. */
type StoredApplied = Omit<AppliedSeason, 'season'> & { readonly season: Season | null };

export class SeasonStore {
  /** null: no file was ever applied. */
  async applied(client: DatabaseClient, projectId: string): Promise<StoredApplied | null> {
    const row = await client.appliedSeason.findUnique({ where: { projectId } });
    return row === null ? null : { season: readable(row.season), appliedAt: row.appliedAt };
  }

  async saveApplied(tx: Transaction, projectId: string, { season, appliedAt }: AppliedSeason): Promise<void> {
    const row = { season: JSON.stringify(season), appliedAt };
    await tx.appliedSeason.upsert({ where: { projectId }, create: { projectId, ...row }, update: row });
  }
}

function readable(text: string): Season | null {
  try {
    return Season.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
