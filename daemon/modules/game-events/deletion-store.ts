/**
 * Rows of deletions of gameplay objects. For a day, deleted objects and the progress of players in them are kept and
 * hidden, and can be restored together.
 */
import { z } from 'zod';
import type { PageQuery } from '../../../src/contract/common.js';
import { DeletedObject, deletedObjectsMax, type GameplayDeletion } from '../../../src/contract/gameplay/deletions.js';
import type { DatabaseClient, Reader, Transaction } from '../../platform/database/database.js';
import { newestFirst } from '../../platform/database/row-page.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';

type DeletionRow = NonNullable<Awaited<ReturnType<Transaction['gameplayDeletion']['findFirst']>>>;

const DeletedObjects = z.array(DeletedObject);

const toDeletion = ({ objects, createdAt, expiresAt, ...row }: DeletionRow): GameplayDeletion => ({
  ...row,
  objects: DeletedObjects.parse(JSON.parse(objects)),
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

/** Columns of an object that is not deleted. */
export const shown = { deletionId: '' } as const;

/** Finds by its id an object that is deleted, with the deletion alone. */
export const hiddenBy = (id: string) => ({ where: { id, NOT: shown }, select: { deletionId: true } }) as const;

/** Kinds of objects of a module, which it hides when they are deleted. */
export interface HiddenObjects {
  /** Finds the deletion that hides an object of any project. */
  deletionOf(client: DatabaseClient, objectId: string): Promise<string | null>;
  /** Shows the objects of a deletion again. Throws deletion_conflict, and a unique violation where another has a key of one. */
  restore(tx: Transaction, deletionId: string): Promise<void>;
  /** Deletes up to about `limit` rows of a deletion for good; returns how many. 0: none is left. */
  purge(tx: Transaction, deletionId: string, limit: number): Promise<number>;
}

export class DeletionStore {
  constructor(private readonly now: Clock) {}

  /** Returns the id under which the caller hides the objects. */
  async record(tx: Transaction, projectId: string, objects: readonly DeletedObject[]): Promise<string> {
    const id = uuidv7();
    const createdAt = this.now();
    const expiresAt = new Date(createdAt.getTime() + dayMs);
    const first = JSON.stringify(objects.slice(0, deletedObjectsMax));
    const data = { id, projectId, createdAt, expiresAt, count: objects.length, objects: first };
    await tx.gameplayDeletion.create({ data });
    return id;
  }

  async page(client: Reader, projectId: string, page: PageQuery): Promise<GameplayDeletion[]> {
    return (await client.gameplayDeletion.findMany(newestFirst(this.ofProject(projectId), page))).map(toDeletion);
  }

  count(client: Reader, projectId: string): Promise<number> {
    return client.gameplayDeletion.count({ where: this.ofProject(projectId) });
  }

  async find(client: DatabaseClient, projectId: string, id: string): Promise<GameplayDeletion | null> {
    const row = await client.gameplayDeletion.findFirst({ where: { ...this.ofProject(projectId), id } });
    return row === null ? null : toDeletion(row);
  }

  /** Returns the ids of deletions whose day is over, oldest first. */
  async expired(client: Reader, limit: number): Promise<string[]> {
    const where = { expiresAt: { lte: this.now() } };
    const page = {
      orderBy: [{ expiresAt: 'asc' as const }, { id: 'asc' as const }],
      take: limit,
      select: { id: true },
    };
    return (await client.gameplayDeletion.findMany({ where, ...page })).map(({ id }) => id);
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.gameplayDeletion.deleteMany({ where: { id } });
  }

  private ofProject(projectId: string) {
    return { projectId, expiresAt: { gt: this.now() } };
  }
}
