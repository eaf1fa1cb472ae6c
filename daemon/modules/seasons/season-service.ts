/** The season of a project: read as one document, and made what a file says, all of it or nothing. */
import { DomainError } from '../../../src/contract/errors.js';
import { type Season, seasonOf } from '../../../src/contract/gameplay/season.js';
import type {
  ApplySeasonRequest,
  SeasonConflict,
  SeasonPlan,
  SeasonState,
} from '../../../src/contract/gameplay/season-routes.js';
import type { Database, DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { Clock } from '../../platform/time/clock.js';
import { seasonProblems } from './checks.js';
import type { SeasonEffects } from './effects.js';
import { merged } from './merged.js';
import { type Change, changedSince, changesBetween, conflictsOf, objectsOf } from './objects.js';
import type { SeasonWriter } from './season-writer.js';
import { keyedInSeason, readStoredSeason, type SeasonSources, type StoredSeason, saveKeys } from './stored-season.js';

const problemsMax = 50;

interface Plan {
  readonly stored: StoredSeason;
  /** Season that the project holds afterwards. */
  readonly whole: Season;
  readonly changes: readonly Change[];
  /** null: it cannot be said. */
  readonly conflicts: SeasonConflict[] | null;
  readonly unlisted: string[];
}

export class SeasonService {
  constructor(
    private readonly database: Database,
    private readonly sources: SeasonSources,
    private readonly writer: SeasonWriter,
    private readonly effects: SeasonEffects,
    private readonly now: Clock,
  ) {}

  async get(projectId: string): Promise<SeasonState> {
    const { season } = await this.withStoredKeys(projectId);
    const applied = await this.sources.seasons.applied(this.database.read, projectId);
    if (applied === null) return { season, appliedAt: null, changed: [] };
    const changed = applied.season === null ? null : changedSince(applied.season, season);
    return { season, appliedAt: applied.appliedAt.toISOString(), changed };
  }

  /** Throws gameplay_object_not_found. */
  async progress(projectId: string, id: string): Promise<{ players: number }> {
    const { season, rows } = await readStoredSeason(this.sources, this.database.read, projectId);
    const [path = ''] = [...rows].find(([, row]) => row.id === id) ?? [];
    const players = await this.effects.players(objectsOf(season).get(path)?.kind, id);
    if (players === null) throw new DomainError('gameplay_object_not_found');
    return { players };
  }

  /** The ids of its objects, by path. */
  async idsOf(projectId: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await readStoredSeason(this.sources, this.database.read, projectId);
    return new Map([...rows].map(([path, { id }]) => [path, id]));
  }

  /** Throws validation_failed with the field of the file, season_changed, season_unreadable. */
  async apply(projectId: string, request: ApplySeasonRequest): Promise<SeasonPlan> {
    const file = seasonOf(request.season);
    const planned = await this.plan(this.database.read, projectId, file, request.prune);
    // Counted ahead of the transaction: on SQLite it keeps all other writers waiting.
    const effects = await this.effects.effectsOf(planned.changes, planned.whole, planned.stored.rows);
    if (!request.dryRun || planned.conflicts === null) requireNoConflict(planned, request.force);
    const written = request.dryRun ? { ...planned, deletionId: null } : await this.write(projectId, file, request);
    const { changes, conflicts, unlisted, deletionId } = written;
    return {
      applied: !request.dryRun,
      deletionId,
      changes: changes.map((change) => ({ ...change, effects: effects.get(change.path) ?? [] })),
      unlisted,
      conflicts: conflicts ?? [],
    };
  }

  private write(projectId: string, file: Season, { prune, force }: ApplySeasonRequest) {
    return this.database.transaction(async (tx) => {
      await this.sources.passes.begin(tx, projectId);
      const plan = await this.plan(tx, projectId, file, prune);
      requireNoConflict(plan, force);
      const now = this.now();
      const { stored, whole, changes } = plan;
      await this.storeKeys(tx, stored);
      const deletionId = await this.writer.write(tx, { projectId, whole, changes, rows: stored.rows, now });
      await this.sources.seasons.saveApplied(tx, projectId, { season: whole, appliedAt: now });
      return { ...plan, deletionId };
    });
  }

  private async plan(client: DatabaseClient, projectId: string, file: Season, prune: boolean): Promise<Plan> {
    const stored = await readStoredSeason(this.sources, client, projectId);
    const whole = merged(file, stored.season, prune);
    const details = seasonProblems(file, whole, stored.season).slice(0, problemsMax);
    if (details.length > 0) throw new DomainError('validation_failed', { details });
    const applied = await this.sources.seasons.applied(client, projectId);
    const changes = changesBetween(stored.season, whole);
    const conflicts = applied === null ? [] : applied.season && conflictsOf(changes, applied.season, stored.season);
    const pruned = objectsOf(merged(file, stored.season, true));
    const unlisted = prune ? [] : [...objectsOf(stored.season).keys()].filter((path) => !pruned.has(path));
    return { stored, whole, changes, conflicts, unlisted };
  }

  /** The season with keys that will stay. */
  private async withStoredKeys(projectId: string): Promise<StoredSeason> {
    const stored = await readStoredSeason(this.sources, this.database.read, projectId);
    if (keyedInSeason.every((kind) => stored.newKeys[kind].length === 0)) return stored;
    return this.database.transaction(async (tx) => {
      await this.sources.passes.begin(tx, projectId);
      const again = await readStoredSeason(this.sources, tx, projectId);
      await this.storeKeys(tx, again);
      return again;
    });
  }

  private async storeKeys(tx: Transaction, { newKeys }: StoredSeason): Promise<void> {
    for (const kind of keyedInSeason) await saveKeys(this.sources, tx, kind, newKeys[kind]);
  }
}

function requireNoConflict({ conflicts }: Plan, force: boolean): void {
  if (force || conflicts?.length === 0) return;
  if (conflicts === null) throw new DomainError('season_unreadable');
  throw new DomainError('season_changed', { details: conflicts.slice(0, problemsMax) });
}
