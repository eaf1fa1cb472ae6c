/** Deletions of gameplay objects: listed, undone within a day, and completed after it. */
import { setImmediate as pause } from 'node:timers/promises';
import type { PageQuery } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import type { GameplayDeletion, GameplayDeletionList } from '../../../src/contract/gameplay/deletions.js';
import type { Database, DatabaseClient } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/errors.js';
import type { PersonalData } from '../../platform/scheduler/keep-personal-data.js';
import type { DeletionStore, HiddenObjects } from '../game-events/deletion-store.js';
import { seasonProblems } from './checks.js';
import { readStoredSeason, type SeasonSources } from './stored-season.js';

const rowsAtOnce = 200;
const problemsMax = 50;

interface DeletionNeeds {
  readonly database: Database;
  readonly sources: SeasonSources;
  readonly store: DeletionStore;
  /** The objects of each module. */
  readonly hidden: readonly HiddenObjects[];
}

/** Key, slug or position of an object belong to another one now. */
function refuseTakenKey(cause: unknown): never {
  if (!isUniqueViolation(cause)) throw cause;
  throw new DomainError('deletion_conflict', {
    message:
      'An object with the same key, slug or position exists now. Change or delete that one, then undo the deletion.',
    cause,
  });
}

export class GameplayDeletions {
  constructor(private readonly needs: DeletionNeeds) {}

  async list(projectId: string, page: PageQuery): Promise<GameplayDeletionList> {
    const { database, store } = this.needs;
    const deletions = await store.page(database.read, projectId, page);
    return { deletions, total: await store.count(database.read, projectId), limit: page.limit, offset: page.offset };
  }

  /** `id`: of the deletion, or of an object that it deleted. Throws deletion_not_found, deletion_conflict. */
  undo(projectId: string, id: string): Promise<GameplayDeletion> {
    const { database, sources, store, hidden } = this.needs;
    return database.transaction(async (tx) => {
      await sources.passes.begin(tx, projectId);
      const deletion = (await store.find(tx, projectId, id)) ?? (await this.hiding(tx, projectId, id));
      if (deletion === null) throw new DomainError('deletion_not_found');
      const before = new Set((await this.problems(tx, projectId)).map(({ message }) => message));
      for (const objects of hidden) await objects.restore(tx, deletion.id).catch(refuseTakenKey);
      const details = (await this.problems(tx, projectId)).filter(({ message }) => !before.has(message));
      if (details.length > 0) throw new DomainError('deletion_conflict', { details: details.slice(0, problemsMax) });
      await store.delete(tx, deletion.id);
      return deletion;
    });
  }

  /** Finds the deletion of the project that hides an object. */
  private async hiding(client: DatabaseClient, projectId: string, objectId: string): Promise<GameplayDeletion | null> {
    const { store, hidden } = this.needs;
    for (const objects of hidden) {
      const id = await objects.deletionOf(client, objectId);
      if (id !== null) return store.find(client, projectId, id);
    }
    return null;
  }

  /** Deletes for good what was deleted more than a day ago. */
  readonly completion: PersonalData = {
    kind: 'deleted gameplay objects',
    prune: async (limit) => {
      const expired = await this.needs.store.expired(this.needs.database.read, limit);
      for (const id of expired) while ((await this.purge(id)) > 0) await pause(); // others write between two parts
      return expired.length;
    },
  };

  private purge(id: string): Promise<number> {
    const { database, store, hidden } = this.needs;
    return database.transaction(async (tx) => {
      if (!(await database.isAlone(tx, 'purge-gameplay-deletions'))) return 0;
      for (const objects of hidden) {
        const count = await objects.purge(tx, id, rowsAtOnce);
        if (count > 0) return count;
      }
      await store.delete(tx, id);
      return 0;
    });
  }

  /** What the rules say against the season as it is. */
  private async problems(client: DatabaseClient, projectId: string) {
    const { season } = await readStoredSeason(this.needs.sources, client, projectId);
    return seasonProblems(season, season, null).map(({ path, message }) => ({
      path: path.replace(/^body\./, ''),
      message,
    }));
  }
}
