/** Deleted gameplay objects: kept for a day with the progress of players, and restored together. */
import { z } from 'zod';
import { Id, PageInfo, PageQuery, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { SeasonObjectKind } from './season-routes.js';

/** Objects that a deletion names. */
export const deletedObjectsMax = 100;

export const DeletedObject = z
  .object({
    kind: SeasonObjectKind,
    id: z.string(),
    name: z.string().describe('The English name, if it has one'),
  })
  .meta({ id: 'DeletedGameplayObject' });
export type DeletedObject = z.infer<typeof DeletedObject>;

export const GameplayDeletion = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    createdAt: Timestamp,
    expiresAt: Timestamp.describe('Until then it can be undone; then the objects are deleted for good'),
    count: z.int().describe('Objects that were deleted'),
    objects: z.array(DeletedObject).describe(`The first ${deletedObjectsMax} of them`),
  })
  .meta({ id: 'GameplayDeletion' });
export type GameplayDeletion = z.infer<typeof GameplayDeletion>;

const GameplayDeletionList = PageInfo.extend({
  deletions: z.array(GameplayDeletion).describe('Deletions that can be undone'),
}).meta({
  id: 'GameplayDeletionList',
});
export type GameplayDeletionList = z.infer<typeof GameplayDeletionList>;

const UndoPath = ProjectPath.extend({
  id: Id.describe('The deletion, or an object that it deleted'),
});

const shared = { group: 'Gameplay configuration', auth: ['apiKey', 'bearer'] } as const;
const deletions = '/api/projects/{projectId}/gameplay/deletions';

export const deletionRoutes = {
  list: defineRoute({
    ...shared,
    operationId: 'listGameplayDeletions',
    cursor: ['id'],
    summary: 'List the deletions of gameplay objects that can be undone, newest first.',
    description:
      'Deleted challenges, categories, battle passes, levels and leaderboards are hidden, and kept for a day with the progress of players in them.',
    method: 'get',
    path: deletions,
    scope: 'gameplay:read',
    role: 'viewer',
    params: ProjectPath,
    query: PageQuery,
    success: { status: 200, body: GameplayDeletionList },
    errors: [],
  }),
  undo: defineRoute({
    ...shared,
    operationId: 'undoGameplayDeletion',
    summary: 'Restore deleted gameplay objects with the progress of players.',
    description:
      'Everything that was deleted together is restored together, as it was when it was deleted. Events that were sent in the meantime do not count in it; a leaderboard can be rebuilt from them.',
    method: 'post',
    path: `${deletions}/{id}/undo`,
    scope: 'gameplay',
    role: 'admin',
    params: UndoPath,
    success: { status: 200, body: GameplayDeletion },
    errors: ['deletion_not_found', 'deletion_conflict'],
  }),
};
