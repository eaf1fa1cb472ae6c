/** Writes the changes of a plan, in the caller's transaction. */

import type { Season, SeasonBattlePass } from '../../../src/contract/gameplay/season.js';
import type { SeasonObjectKind } from '../../../src/contract/gameplay/season-routes.js';
import type { Transaction } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { hasEnded } from '../challenges/battle-passes/rules.js';
import { toLevelChallengeRow, toLevelRow } from '../challenges/battle-passes/store.js';
import { toChallengeRow } from '../challenges/challenge-store.js';
import type { KeyOfRow } from '../challenges/keyed-row-store.js';
import type { DeletionStore } from '../game-events/deletion-store.js';
import type { BoardService } from '../leaderboards/board-service.js';
import { type Change, pathOf } from './objects.js';
import { type SeasonSources, type StoredRow, saveKeys } from './stored-season.js';

interface SeasonToWrite {
  readonly projectId: string;
  /** Season that the project is to hold. */
  readonly whole: Season;
  /** Changes that are written. */
  readonly changes: readonly Change[];
  /** The rows that there are, by path. */
  readonly rows: ReadonlyMap<string, StoredRow>;
  readonly now: Date;
}

export class SeasonWriter {
  constructor(
    private readonly sources: SeasonSources,
    private readonly boards: BoardService,
    private readonly deletions: DeletionStore,
  ) {}

  /**
   * A category goes last: challenges may leave it in the same file. Returns the id of the deletion of what was removed;
   * null: nothing was.
   */
  async write(tx: Transaction, season: SeasonToWrite): Promise<string | null> {
    const rows = new SeasonRows(season);
    const { challenges, rows: stored } = this.sources;
    const deletionId = await this.recordDeletion(tx, season, rows);
    await stored.hideChallenges(tx, [...rows.removed('challenge'), ...rows.removed('levelChallenge')], deletionId);
    await stored.hideLevels(tx, rows.removed('level'), deletionId);
    await stored.hidePasses(tx, rows.removed('battlePass'), deletionId);
    const boards = rows.removed('leaderboard').map(({ id }) => id);
    await this.boards.hideIn(tx, season.projectId, boards, deletionId);
    await this.writeCategories(tx, season, rows);
    await this.writeChallenges(tx, season, rows);
    await this.writePasses(tx, season, rows);
    await this.writeBoards(tx, season, rows);
    const changed = [...rows.stored('challenge'), ...rows.stored('levelChallenge'), ...(await this.ofPasses(tx, rows))];
    await this.sources.conflicts.require(tx, season.projectId, changed, season.now);
    for (const { id } of rows.removed('category')) await challenges.deleteCategory(tx, id, deletionId);
    return deletionId === '' ? null : deletionId;
  }

  /** Ids of the challenges of passes that were there before and have changed: an ended one may go on. */
  private async ofPasses(tx: Transaction, rows: SeasonRows): Promise<string[]> {
    const ids: string[] = [];
    for (const id of rows.stored('battlePass'))
      for (const { challenges } of await this.sources.passes.levelsOf(tx, id))
        ids.push(...challenges.map((challenge) => challenge.id));
    return ids;
  }

  /** Returns the id of the deletion; empty: nothing is removed. */
  private async recordDeletion(
    tx: Transaction,
    { changes, projectId }: SeasonToWrite,
    rows: SeasonRows,
  ): Promise<string> {
    const removed = changes.filter(({ action }) => action === 'remove');
    if (removed.length === 0) return '';
    const objects = removed.map(({ kind, path, name }) => ({ kind, id: rows.rowOf(path).id, name: name || path }));
    return this.deletions.record(tx, projectId, objects);
  }

  private async writeCategories(tx: Transaction, { whole, projectId }: SeasonToWrite, rows: SeasonRows): Promise<void> {
    for (const { key: slug, ...fields } of whole.categories) {
      const is = rows.writing(pathOf.category(slug));
      if (is === null) continue;
      const category = { ...fields, slug, projectId, ...rows.rowOf(pathOf.category(slug)) };
      await this.sources.challenges.saveCategory(tx, category, is);
    }
  }

  private async writeChallenges(tx: Transaction, { whole, projectId }: SeasonToWrite, rows: SeasonRows): Promise<void> {
    const changed = whole.challenges.filter(({ key }) => rows.writing(pathOf.challenge(key)) !== null);
    const written = changed.map(({ key, category, ...fields }) => {
      const categoryId = rows.rowOf(pathOf.category(category)).id;
      return { ...toChallengeRow({ ...fields, projectId, categoryId, ...rows.rowOf(pathOf.challenge(key)) }), key };
    });
    await this.sources.rows.saveChallenges(tx, written);
  }

  private async writePasses(
    tx: Transaction,
    { whole, projectId, now }: SeasonToWrite,
    rows: SeasonRows,
  ): Promise<void> {
    const { passes, rows: stored } = this.sources;
    const keys: KeyOfRow[] = [];
    for (const { key, levels: _, ...fields } of whole.battlePasses) {
      const is = rows.writing(pathOf.battlePass(key));
      if (is === null) continue;
      const pass = { ...fields, projectId, ...rows.rowOf(pathOf.battlePass(key)) };
      const endDate = pass.endDate === null ? null : new Date(pass.endDate);
      if (is === 'new') await passes.insert(tx, pass);
      else await passes.save(tx, pass, !hasEnded({ startDate: null, endDate }, now));
      keys.push({ id: pass.id, key });
    }
    await saveKeys(this.sources, tx, 'battlePass', keys);
    await stored.saveLevels(
      tx,
      whole.battlePasses.flatMap((pass) => levelRowsOf(pass, projectId, rows)),
    );
    await stored.saveChallenges(
      tx,
      whole.battlePasses.flatMap((pass) => challengeRowsOf(pass, projectId, rows)),
    );
  }

  private async writeBoards(tx: Transaction, { whole, projectId }: SeasonToWrite, rows: SeasonRows): Promise<void> {
    const keys: KeyOfRow[] = [];
    for (const { key, ...fields } of whole.leaderboards) {
      const path = pathOf.leaderboard(key);
      const is = rows.writing(path);
      if (is === 'new') keys.push({ id: (await this.boards.createIn(tx, projectId, fields)).id, key });
      else if (is === 'stored') await this.boards.updateIn(tx, projectId, rows.rowOf(path).id, fields);
    }
    await saveKeys(this.sources, tx, 'leaderboard', keys);
  }
}

const levelRowsOf = (pass: SeasonBattlePass, projectId: string, rows: SeasonRows) =>
  pass.levels.flatMap(({ key, ...fields }) => {
    const path = pathOf.level(pass.key, key);
    if (rows.writing(path) === null) return [];
    const battlePassId = rows.rowOf(pathOf.battlePass(pass.key)).id;
    const level = { ...fields, challenges: [], projectId, battlePassId, ...rows.rowOf(path) };
    return [{ ...toLevelRow(level), key }];
  });

const challengeRowsOf = (pass: SeasonBattlePass, projectId: string, rows: SeasonRows) =>
  pass.levels.flatMap((level) =>
    level.challenges.flatMap(({ key, ...fields }, index) => {
      const path = pathOf.levelChallenge(pass.key, level.key, key);
      if (rows.writing(path) === null) return [];
      const levelId = rows.rowOf(pathOf.level(pass.key, level.key)).id;
      const challenge = { ...fields, levelId, position: index + 1, ...rows.rowOf(path) };
      return [{ ...toLevelChallengeRow(projectId, challenge), key }];
    }),
  );

/** Maps each object to the row that it has, or gets. */
class SeasonRows {
  private readonly changes: ReadonlyMap<string, Change>;
  private readonly rows: Map<string, StoredRow>;
  private readonly at: string;

  constructor({ changes, rows, now }: SeasonToWrite) {
    this.changes = new Map(changes.map((change) => [change.path, change]));
    this.rows = new Map(rows);
    this.at = now.toISOString();
  }

  /** null: nothing of the object itself is written. */
  writing(path: string): 'new' | 'stored' | null {
    const action = this.changes.get(path)?.action;
    if (action === undefined || action === 'remove') return null;
    return action === 'create' ? 'new' : 'stored';
  }

  /** Returns the columns of a row beside the fields of its object. */
  rowOf(path: string): StoredRow & { readonly updatedAt: string } {
    const row = this.rows.get(path) ?? { id: uuidv7(), createdAt: this.at };
    this.rows.set(path, row);
    return { ...row, updatedAt: this.at };
  }

  /** Ids of objects that were there before and have changed. */
  stored(kind: SeasonObjectKind): string[] {
    return [...this.changes.values()].flatMap(({ kind: of, action, path }) =>
      of === kind && action === 'update' ? [this.rowOf(path).id] : [],
    );
  }

  removed(kind: SeasonObjectKind): StoredRow[] {
    return [...this.changes.values()].flatMap((change) => {
      const row = change.kind === kind && change.action === 'remove' ? this.rows.get(change.path) : undefined;
      return row ?? [];
    });
  }
}
