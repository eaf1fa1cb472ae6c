/** Categories, under which games show challenges. */
import { z } from 'zod';
import { ItemPath, PageInfo, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { NamedPageQuery, Texts, TextsInput } from './localised-text.js';

export const categoriesPerProjectMax = 100;

export const Slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'write a slug in small letters, digits and single hyphens');

export const ChallengeCategory = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: Texts,
    slug: z.string(),
    position: z.int(),
    isDaily: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ChallengeCategory' });
export type ChallengeCategory = z.infer<typeof ChallengeCategory>;

const categoryFields = {
  name: TextsInput.describe('Name, or names by language'),
  slug: Slug.describe('Short name for use in code'),
  position: z.int().min(0).max(1_000_000).describe('Position in the list of categories'),
  isDaily: z.boolean().describe('New challenges every day'),
};
export const CreateChallengeCategoryRequest = z
  .object({
    ...categoryFields,
    position: categoryFields.position.default(0),
    isDaily: categoryFields.isDaily.default(false),
  })
  .meta({ id: 'CreateChallengeCategoryRequest' });
export type CreateChallengeCategoryRequest = z.infer<typeof CreateChallengeCategoryRequest>;
export const UpdateChallengeCategoryRequest = z
  .object(categoryFields)
  .partial()
  .meta({ id: 'UpdateChallengeCategoryRequest' });
export type UpdateChallengeCategoryRequest = z.infer<typeof UpdateChallengeCategoryRequest>;

export const ChallengeCategoryList = PageInfo.extend({ challengeCategories: z.array(ChallengeCategory) }).meta({
  id: 'ChallengeCategoryList',
});
export type ChallengeCategoryList = z.infer<typeof ChallengeCategoryList>;

const shared = { group: 'Gameplay configuration', auth: ['apiKey', 'bearer'] } as const;
const read = { ...shared, method: 'get', scope: 'gameplay:read', role: 'viewer' } as const;
const write = { ...shared, scope: 'gameplay', role: 'admin' } as const;
const categories = '/api/projects/{projectId}/challenge-categories';

export const challengeCategoryRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listChallengeCategories',
    cursor: ['position', 'id'],
    summary: 'List the categories of challenges, in their order.',
    path: categories,
    params: ProjectPath,
    query: NamedPageQuery,
    success: { status: 200, body: ChallengeCategoryList },
    errors: [],
  }),
  create: defineRoute({
    ...write,
    operationId: 'createChallengeCategory',
    summary: 'Create a category of challenges.',
    method: 'post',
    path: categories,
    params: ProjectPath,
    body: CreateChallengeCategoryRequest,
    success: { status: 201, body: ChallengeCategory },
    errors: ['challenge_category_slug_taken', 'challenge_limit_reached'],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getChallengeCategory',
    summary: 'Show a category of challenges.',
    path: `${categories}/{id}`,
    params: ItemPath,
    success: { status: 200, body: ChallengeCategory },
    errors: ['challenge_category_not_found'],
  }),
  update: defineRoute({
    ...write,
    operationId: 'updateChallengeCategory',
    summary: 'Change a category of challenges.',
    method: 'patch',
    path: `${categories}/{id}`,
    params: ItemPath,
    body: UpdateChallengeCategoryRequest,
    success: { status: 200, body: ChallengeCategory },
    errors: ['challenge_category_not_found', 'challenge_category_slug_taken'],
  }),
  delete: defineRoute({
    ...write,
    operationId: 'deleteChallengeCategory',
    summary: 'Delete an empty category of challenges.',
    method: 'delete',
    path: `${categories}/{id}`,
    params: ItemPath,
    success: { status: 204 },
    errors: ['challenge_category_not_found', 'challenge_category_in_use'],
  }),
};
