/** Configuration of battle passes. Their levels stand in `battle-pass-levels.ts`; the rules lie in the daemon. */
import { z } from 'zod';
import { ItemPath, PageInfo, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';
import { lateDaysMax } from './gameplay.js';
import { NamedPageQuery, Texts, TextsInput } from './localised-text.js';

export const battlePassesPerProjectMax = 100;

const Reference = z.string().max(1000);
const images = {
  imageXs: Reference.nullish().describe('Image in the smallest size: a name or an address'),
  imageS: Reference.nullish().describe('Image, small'),
  imageM: Reference.nullish().describe('Image, medium'),
  imageL: Reference.nullish().describe('Image, large'),
  imageXl: Reference.nullish().describe('Image in the largest size'),
};

export const BattlePass = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: Texts,
    description: Texts.nullable(),
    shortDescription: Texts.nullable(),
    disclaimer: Texts.nullable(),
    startDate: Timestamp.nullable(),
    endDate: Timestamp.nullable(),
    isUnlockedIncrementally: z.boolean(),
    priority: z.int(),
    imageXs: z.string().nullable(),
    imageS: z.string().nullable(),
    imageM: z.string().nullable(),
    imageL: z.string().nullable(),
    imageXl: z.string().nullable(),
    packageSkuIos: z.string().nullable(),
    packageSkuAndroid: z.string().nullable(),
    readMoreLink: z.string().nullable(),
    canPurchaseWithMoney: z.boolean(),
    canPurchaseWithCoins: z.boolean(),
    lateMinutes: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'BattlePass' });
export type BattlePass = z.infer<typeof BattlePass>;

const required = { name: TextsInput.describe('Name, or names by language') };
const optional = {
  description: TextsInput.nullish().describe('Description, or one for each language; may be HTML'),
  shortDescription: TextsInput.nullish().describe('Description in one sentence'),
  disclaimer: TextsInput.nullish().describe('Terms of the purchase'),
  startDate: TimestampInput.nullish().describe('Nothing counts before this time; default: now'),
  endDate: TimestampInput.nullish().describe('Nothing counts from this time on; default: it never ends'),
  ...images,
  packageSkuIos: Reference.nullish().describe('Product to buy in the App Store'),
  packageSkuAndroid: Reference.nullish().describe('Product to buy on Google Play'),
  readMoreLink: Reference.nullish().describe('Where players can read more: an address, or a place in the game'),
};
const defaulted = {
  isUnlockedIncrementally: z
    .boolean()
    .describe('true: one level after the other; false: players activate any level they like'),
  priority: z.int().min(0).max(1_000_000).describe('Order in lists, lowest first'),
  canPurchaseWithMoney: z.boolean().describe('Sold for money, as the game understands it'),
  canPurchaseWithCoins: z.boolean().describe('Sold for coins, as the game understands it'),
  lateMinutes: z
    .int()
    .min(0)
    .max(lateDaysMax * 24 * 60)
    .describe('Minutes for which a pass or a time limit that is over still counts events that happened before'),
};

export const CreateBattlePassRequest = z
  .object({
    ...required,
    ...optional,
    isUnlockedIncrementally: defaulted.isUnlockedIncrementally.default(true),
    priority: defaulted.priority.default(0),
    canPurchaseWithMoney: defaulted.canPurchaseWithMoney.default(false),
    canPurchaseWithCoins: defaulted.canPurchaseWithCoins.default(false),
    lateMinutes: defaulted.lateMinutes.default(0),
  })
  .meta({ id: 'CreateBattlePassRequest' });
export type CreateBattlePassRequest = z.infer<typeof CreateBattlePassRequest>;
export const UpdateBattlePassRequest = z
  .object({ ...required, ...optional, ...defaulted })
  .partial()
  .meta({ id: 'UpdateBattlePassRequest' });
export type UpdateBattlePassRequest = z.infer<typeof UpdateBattlePassRequest>;

export const BattlePassList = PageInfo.extend({ battlePasses: z.array(BattlePass) }).meta({ id: 'BattlePassList' });
export type BattlePassList = z.infer<typeof BattlePassList>;

const shared = { group: 'Gameplay configuration', auth: ['apiKey', 'bearer'] } as const;
const read = { ...shared, method: 'get', scope: 'gameplay:read', role: 'viewer' } as const;
const write = { ...shared, scope: 'gameplay', role: 'admin' } as const;
const battlePasses = '/api/projects/{projectId}/battle-passes';

export const battlePassRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listBattlePasses',
    summary: 'List the battle passes, newest first.',
    path: battlePasses,
    params: ProjectPath,
    query: NamedPageQuery,
    success: { status: 200, body: BattlePassList },
    errors: [],
  }),
  create: defineRoute({
    ...write,
    operationId: 'createBattlePass',
    summary: 'Create a battle pass, without levels yet.',
    method: 'post',
    path: battlePasses,
    params: ProjectPath,
    body: CreateBattlePassRequest,
    success: { status: 201, body: BattlePass },
    errors: ['battle_pass_limit_reached'],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getBattlePassConfiguration',
    summary: 'Show a battle pass.',
    path: `${battlePasses}/{id}`,
    params: ItemPath,
    success: { status: 200, body: BattlePass },
    errors: ['battle_pass_not_found'],
  }),
  update: defineRoute({
    ...write,
    operationId: 'updateBattlePass',
    summary: 'Change a battle pass; players continue under the new rules.',
    method: 'patch',
    path: `${battlePasses}/{id}`,
    params: ItemPath,
    body: UpdateBattlePassRequest,
    success: { status: 200, body: BattlePass },
    errors: ['battle_pass_not_found', 'counting_conflict'],
  }),
  delete: defineRoute({
    ...write,
    operationId: 'deleteBattlePass',
    summary: 'Delete a battle pass with its levels and the progress of every player.',
    method: 'delete',
    path: `${battlePasses}/{id}`,
    params: ItemPath,
    success: { status: 204 },
    errors: ['battle_pass_not_found'],
  }),
};
