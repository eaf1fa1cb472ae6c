/** Reporters: how reliable their reports have been, and whether they may report and appeal. */
import { z } from 'zod';
import { ExternalUserId, PageInfo, PageQuery, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { DecidingActor } from '../moderation/statement-basis.js';
import { defineRoute } from '../route.js';

const ListedReporter = z
  .object({
    externalUserId: z.string(),
    decided: z.int().describe('Cases with a report of theirs that are decided'),
    upheld: z.int().describe('Of these, cases that led to a measure'),
    unfounded: z.int().describe('Of these, cases in which their report was manifestly unfounded'),
    weight: z.number().describe('How much a report of theirs counts: 1 for somebody unknown, from 0 to 2'),
    warnedAt: Timestamp.nullable().describe('When they were warned about manifestly unfounded reports'),
    suspendedUntil: Timestamp.nullable().describe('Until when their reports are refused; null: they may report'),
    proposedUntil: Timestamp.nullable().describe(
      'Until when the daemon proposes to refuse their reports, for a moderator to decide; null: it does not',
    ),
    appealsSuspendedUntil: Timestamp.nullable().describe(
      'Until when appeals that they send are refused; null: they may appeal',
    ),
    appealsProposedUntil: Timestamp.nullable().describe(
      'Until when the daemon proposes to refuse appeals that they send; null: it does not',
    ),
  })
  .meta({ id: 'ListedReporter' });
export type ListedReporter = z.infer<typeof ListedReporter>;

const DecidedShare = z
  .object({
    decided: z.int().describe('That were decided'),
    unfounded: z.int().describe('Of these, those that were manifestly unfounded'),
  })
  .meta({ id: 'DecidedShare' });

export const Reporter = ListedReporter.extend({
  recent: DecidedShare.describe('Cases with a report of theirs that were decided in the last half year'),
  unfoundedAppeals: z.int().describe('Appeals of theirs that were manifestly unfounded'),
  appealsWarnedAt: Timestamp.nullable().describe('When they were warned about manifestly unfounded appeals'),
  recentAppeals: DecidedShare.describe('Appeals of theirs that were decided in the last half year'),
}).meta({ id: 'Reporter' });
export type Reporter = z.infer<typeof Reporter>;

export const ReporterListResponse = PageInfo.extend({ reporters: z.array(ListedReporter).describe('By id') }).meta({
  id: 'ReporterListResponse',
});
export type ReporterListResponse = z.infer<typeof ReporterListResponse>;

const ReporterListQuery = PageQuery.extend({
  status: z
    .enum(['proposed', 'suspended'])
    .describe('People whose suspension a moderator has to decide on, or who are suspended'),
});
export type ReporterListQuery = z.output<typeof ReporterListQuery>;

const UpdateReporterRequest = z
  .object({
    suspendedUntil: TimestampInput.nullable()
      .optional()
      .describe('Until when their reports are refused; null: they may report, and what is proposed is declined'),
    appealsSuspendedUntil: TimestampInput.nullable().optional().describe('The same for appeals that they send'),
    decidedBy: DecidingActor.optional().describe(
      'With an API key: `person`, where somebody decided it in a tool of yours. Programs suspend nobody',
    ),
  })
  .meta({ id: 'UpdateReporterRequest' });
export type UpdateReporterRequest = z.output<typeof UpdateReporterRequest>;

const shared = {
  group: 'Reports',
  path: '/api/projects/{projectId}/reporters/{externalUserId}',
  auth: ['apiKey', 'bearer'],
  role: 'moderator',
  params: ProjectPath.extend({ externalUserId: ExternalUserId }),
  success: { status: 200, body: Reporter },
  errors: [],
} as const;

export const reporterRoutes = {
  list: defineRoute({
    ...shared,
    operationId: 'listReporters',
    cursor: ['externalUserId'],
    summary: 'List people who are suspended for misuse, or proposed for it.',
    method: 'get',
    path: '/api/projects/{projectId}/reporters',
    scope: 'reports:read',
    params: ProjectPath,
    query: ReporterListQuery,
    success: { status: 200, body: ReporterListResponse },
  }),
  get: defineRoute({
    ...shared,
    operationId: 'getReporter',
    summary: 'Show how reliable the reports of a person have been, and whether they may report and appeal.',
    method: 'get',
    scope: 'reports:read',
  }),
  update: defineRoute({
    ...shared,
    operationId: 'updateReporter',
    summary: 'Suspend the reports or appeals of a person, decline that, or lift it.',
    description:
      'The daemon proposes a suspension after a warning, by the number and the share of manifestly unfounded reports or appeals; a person decides. A time confirms it, and the person is told.',
    method: 'patch',
    scope: 'reports',
    body: UpdateReporterRequest,
    errors: ['suspension_person_required'],
  }),
};
