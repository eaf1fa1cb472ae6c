/** Categories of reports and their service goals, for a project. */
import { z } from 'zod';
import { ProjectPath } from '../common.js';
import { banTypes } from '../moderation/sanction-kinds.js';
import type { SanctionType } from '../moderation/sanction-record.js';
import { defineRoute } from '../route.js';

const goalHoursDefault = 24;

export const CategoryName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,49}$/, 'up to 50 lower-case letters, digits, hyphens, underscores; a letter first')
  .describe('Category of the report, one of the project');

const ReportCategory = z
  .object({
    name: CategoryName,
    weight: z.int().min(1).max(10).default(3).describe('How much a case of this category comes before others'),
    goalHours: z
      .int()
      .positive()
      .max(8_760)
      .default(goalHoursDefault)
      .describe('Hours within which a case of this category should be decided'),
  })
  .meta({ id: 'ReportCategory' });
export type ReportCategory = z.infer<typeof ReportCategory>;

/** What a project that has not set its own list uses. */
export const defaultCategories: readonly ReportCategory[] = (
  [
    ['minors_safety', 10],
    ['threats', 8],
    ['hate', 6],
    ['sexual_content', 6],
    ['harassment', 5],
    ['cheating', 3],
    ['name', 2],
    ['spam', 1],
    ['other', 1],
  ] as const
).map(([name, weight]) => ({ name, weight, goalHours: goalHoursDefault }));

const categoriesMax = 50;
const Categories = z
  .array(ReportCategory)
  .min(1)
  .max(categoriesMax)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names a category twice');

/** No operator lets projects hold more. */
const evidenceSecondsMax = 300;
const EvidenceSeconds = z
  .int()
  .min(0)
  .max(evidenceSecondsMax)
  .meta({ unit: 'seconds' })
  .describe('Seconds of sound of each speaker that the bot holds in memory, and that a report stores; 0: none');

const confirmed =
  'Permanent bans by people, keys and links of moderators need a second person: they are proposed in a case';
const confirmedOver = 'Bans longer than this need a second person, too';
const longestSeconds = 10 * 365 * 86_400;

export const ReportSettings = z
  .object({
    categories: z.array(ReportCategory).describe('Categories that reports may have'),
    confirmPermanentBans: z.boolean().describe(confirmed),
    confirmBansOver: z.int().nullable().describe(`${confirmedOver}; null: none`),
    evidenceSeconds: EvidenceSeconds,
  })
  .meta({ id: 'ReportSettings' });
export type ReportSettings = z.infer<typeof ReportSettings>;

export const UpdateReportSettingsRequest = z
  .object({
    categories: Categories.nullish().describe('Replaces the list; null: the default list'),
    confirmPermanentBans: z.boolean().optional().describe(confirmed),
    confirmBansOver: z
      .int()
      .positive()
      .max(longestSeconds)
      .meta({ unit: 'seconds' })
      .nullish()
      .describe(`${confirmedOver}; null: none`),
    evidenceSeconds: EvidenceSeconds.optional(),
  })
  .meta({ id: 'UpdateReportSettingsRequest' });
export type UpdateReportSettingsRequest = z.output<typeof UpdateReportSettingsRequest>;

/** True if a second person has to confirm a ban of this length. `seconds`: null: without end. */
export function needsSecondPerson(
  { confirmPermanentBans, confirmBansOver }: Pick<ReportSettings, 'confirmPermanentBans' | 'confirmBansOver'>,
  type: SanctionType,
  seconds: number | null,
): boolean {
  if (!banTypes.includes(type)) return false;
  if (seconds === null) return confirmPermanentBans || confirmBansOver !== null;
  return confirmBansOver !== null && seconds > confirmBansOver;
}

const shared = {
  group: 'Reports',
  path: '/api/projects/{projectId}/settings/reports',
  auth: ['apiKey', 'bearer'],
  params: ProjectPath,
  success: { status: 200, body: ReportSettings },
  errors: [],
} as const;

export const reportSettingsRoutes = {
  get: defineRoute({
    ...shared,
    operationId: 'getReportSettings',
    summary: 'Show the categories of reports and how soon cases should be decided.',
    method: 'get',
    scope: 'settings:read',
    role: 'viewer',
  }),
  update: defineRoute({
    ...shared,
    operationId: 'updateReportSettings',
    summary: 'Change the categories of reports and how soon cases should be decided.',
    method: 'patch',
    scope: 'settings',
    role: 'admin',
    body: UpdateReportSettingsRequest,
  }),
};
