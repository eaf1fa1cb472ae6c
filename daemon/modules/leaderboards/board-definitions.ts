/** The leaderboards of a project, as counting and rankings need them. */
import type { Database } from '../../platform/database/database.js';
import { continueAfter } from '../../platform/ids/new-id.js';
import { byEventName, ProjectDefinitions } from '../game-events/project-definitions.js';
import type { RevisionStore } from '../game-events/revision-store.js';
import type { BoardDefinition } from './board.js';
import type { BoardStore, Projects } from './board-store.js';

export interface ProjectBoards {
  /** Oldest first. */
  readonly boards: readonly BoardDefinition[];
  readonly byEvent: ReadonlyMap<string, readonly BoardDefinition[]>;
}

export type BoardDefinitions = ProjectDefinitions<ProjectBoards>;

const none: ProjectBoards = { boards: [], byEvent: new Map() };

interface BoardSources {
  readonly database: Pick<Database, 'read' | 'shareTurn'>;
  readonly revisions: RevisionStore;
  readonly store: BoardStore;
  readonly projects: Projects;
}

export const boardDefinitions = ({ database, revisions, store, projects }: BoardSources): BoardDefinitions =>
  new ProjectDefinitions(database, revisions, none, async (client, projectId) => {
    const boards = await store.definitions(client, projectId, await projects.tenantIn(client, projectId));
    // Another daemon may have begun a period by a clock that is ahead of this one.
    for (const { period } of boards) continueAfter(period.id);
    return { boards, byEvent: byEventName(boards) };
  });
