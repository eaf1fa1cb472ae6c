/** Operations on the season of a project: everything that is configured of its gameplay, as one document. */
import { z } from 'zod';
import { Id, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { Season } from './season.js';
import { SeasonFile } from './season-file.js';

const seasonBytesMax = 4 * 1024 * 1024;

export const SeasonObjectKind = z.enum([
  'category',
  'challenge',
  'battlePass',
  'level',
  'levelChallenge',
  'leaderboard',
]);
export type SeasonObjectKind = z.infer<typeof SeasonObjectKind>;

const Path = z.string().describe('Object by its keys, such as battlePasses/winter/levels/one');

/** Effects of removing what no player has a part in. */
export const noProgress = { players: 'No player has begun it.', leaderboard: 'No score is in it.' } as const;

const SeasonFieldChange = z
  .object({ field: z.string(), before: z.unknown(), after: z.unknown() })
  .meta({ id: 'SeasonFieldChange' });
export type SeasonFieldChange = z.infer<typeof SeasonFieldChange>;

const SeasonChange = z
  .object({
    action: z.enum(['create', 'update', 'remove']),
    kind: SeasonObjectKind,
    path: Path,
    name: z.string().describe('The English name, if it has one'),
    fields: z.array(SeasonFieldChange).describe('For an update, the changed fields'),
    effects: z.array(z.string()).describe('Effect on the progress of players, in sentences'),
  })
  .meta({ id: 'SeasonChange' });
export type SeasonChange = z.infer<typeof SeasonChange>;

/** Returns the removals by which players lose progress. */
export const lossesOf = (changes: readonly SeasonChange[]): SeasonChange[] => {
  const harmlessEffects: ReadonlySet<string> = new Set(Object.values(noProgress));
  return changes.filter(
    ({ action, effects }) => action === 'remove' && effects.some((effect) => !harmlessEffects.has(effect)),
  );
};

export const SeasonConflict = z
  .object({
    path: Path,
    message: z.string().describe('How it was changed on the daemon since a file was last applied'),
  })
  .meta({ id: 'SeasonConflict' });
export type SeasonConflict = z.infer<typeof SeasonConflict>;

export const SeasonPlan = z
  .object({
    applied: z.boolean().describe('false: a dry run'),
    deletionId: z
      .uuid()
      .nullable()
      .describe('Deletion of what was removed, which can be undone for a day; null: nothing was removed'),
    changes: z.array(SeasonChange).describe('In the order of the file, deletions last'),
    unlisted: z.array(Path).describe('What is kept, and would be deleted with prune'),
    conflicts: z
      .array(SeasonConflict)
      .describe('In a dry run and with force: changes made on the daemon that are overwritten'),
  })
  .meta({ id: 'SeasonPlan' });
export type SeasonPlan = z.infer<typeof SeasonPlan>;

export const SeasonState = z
  .object({
    season: Season,
    appliedAt: Timestamp.nullable().describe('When a file was last applied; null: never'),
    changed: z
      .array(SeasonConflict)
      .nullable()
      .describe(
        'What was changed on the daemon since then; null: unknown, because another version of Earshot stored it',
      ),
  })
  .meta({ id: 'SeasonState' });
export type SeasonState = z.infer<typeof SeasonState>;

interface Pruning {
  readonly season: z.input<typeof SeasonFile>;
  readonly prune?: boolean | undefined;
}

/** True for a season without objects that is to delete what it does not list: mostly an empty file, or the wrong one. */
export const prunesEverything = ({ season, prune = false }: Pruning): boolean => {
  const { categories = [], challenges = [], battlePasses = [], leaderboards = [] } = season;
  return prune && [categories, challenges, battlePasses, leaderboards].every(({ length }) => length === 0);
};

export const ApplySeasonRequest = z
  .object({
    season: SeasonFile,
    dryRun: z.boolean().default(false).describe('Only show what would change'),
    prune: z
      .boolean()
      .default(false)
      .describe('Delete what the file does not list, with the progress of players. It can be undone for a day'),
    allowEmpty: z
      .boolean()
      .default(false)
      .describe('With prune: accept a source without objects, and delete everything'),
    force: z.boolean().default(false).describe('Overwrite changes made on the daemon since a file was last applied'),
  })
  .refine((request) => request.allowEmpty || !prunesEverything(request), {
    path: ['season'],
    message:
      'has no objects, so with prune everything in the project would be deleted; if that is what you want, set allowEmpty',
  })
  .meta({ id: 'ApplySeasonRequest' });
export type ApplySeasonRequest = z.infer<typeof ApplySeasonRequest>;

/** Players are counted up to this. */
export const progressPlayersMax = 10_000;

const GameplayProgress = z
  .object({
    players: z
      .int()
      .describe(`Who have begun, unlocked or activated it, or have a score now; counted up to ${progressPlayersMax}`),
  })
  .meta({ id: 'GameplayProgress' });

const shared = { group: 'Gameplay configuration', auth: ['apiKey', 'bearer'], params: ProjectPath } as const;
const path = '/api/projects/{projectId}/gameplay/season';

export const seasonRoutes = {
  get: defineRoute({
    ...shared,
    operationId: 'getSeason',
    summary: 'Show the whole gameplay configuration of a project as one season.',
    description: 'Objects without a key get one.',
    method: 'get',
    path,
    scope: 'gameplay:read',
    role: 'viewer',
    success: { status: 200, body: SeasonState },
    errors: [],
  }),
  progress: defineRoute({
    ...shared,
    operationId: 'countGameplayProgress',
    summary: 'Count the players whose progress is deleted with an object.',
    method: 'get',
    path: '/api/projects/{projectId}/gameplay/progress/{id}',
    scope: 'gameplay:read',
    role: 'viewer',
    params: ProjectPath.extend({ id: Id.describe('Challenge, battle pass, level or leaderboard') }),
    success: { status: 200, body: GameplayProgress },
    errors: ['gameplay_object_not_found'],
  }),
  apply: defineRoute({
    ...shared,
    operationId: 'applySeason',
    summary: 'Apply a season file to the gameplay configuration, all or nothing.',
    method: 'put',
    path,
    scope: 'gameplay',
    role: 'admin',
    body: ApplySeasonRequest,
    success: { status: 200, body: SeasonPlan },
    errors: ['season_changed', 'season_unreadable', 'counting_conflict'],
    bodyLimitBytes: seasonBytesMax,
  }),
};
