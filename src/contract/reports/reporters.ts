/** Reporters: how reliable their reports have been, and whether they may report and appeal. */
import { z } from 'zod';
import { ExternalUserId, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

export const Reporter = z
  .object({
    externalUserId: z.string(),
    decided: z.int().describe('Cases with a report of theirs that are decided'),
    upheld: z.int().describe('Of these, cases that led to a measure'),
    unfounded: z.int().describe('Of these, cases in which their report was manifestly unfounded'),
    weight: z.number().describe('How much a report of theirs counts: 1 for somebody unknown, from 0 to 2'),
    warnedAt: Timestamp.nullable().describe('When they were warned about manifestly unfounded reports'),
    suspendedUntil: Timestamp.nullable().describe('Until when their reports are refused; null: they may report'),
    unfoundedAppeals: z.int().describe('Appeals of theirs that were manifestly unfounded'),
    appealsWarnedAt: Timestamp.nullable().describe('When they were warned about manifestly unfounded appeals'),
    appealsSuspendedUntil: Timestamp.nullable().describe(
      'Until when appeals that they send are refused; null: they may appeal',
    ),
  })
  .meta({ id: 'Reporter' });
export type Reporter = z.infer<typeof Reporter>;

const UpdateReporterRequest = z
  .object({
    suspendedUntil: TimestampInput.nullable().describe(
      'Until when their reports are refused; null: they may report again',
    ),
  })
  .meta({ id: 'UpdateReporterRequest' });

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
    summary: 'Suspend the reports of a person, or let them report again.',
    method: 'patch',
    scope: 'reports',
    body: UpdateReporterRequest,
  }),
};
