/** Thousands of sanctions as one named batch that can be sent again and undone. */
import { z } from 'zod';
import { Id, madeQuery, PageInfo, PageQuery, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { SanctionName } from './sanction-record.js';
import { CreateSanctionRequest } from './sanctions.js';

export const batchItemsMax = 10_000;
const batchBodyBytes = 4 * 1024 * 1024;

/** A line imposes; what it stacks up with is in the dry run. */
export const SanctionBatchItem = CreateSanctionRequest.omit({ replaces: true }).meta({ id: 'SanctionBatchItem' });

export const ApplySanctionsRequest = z
  .object({
    batchId: SanctionName.optional().describe('Name of the batch; its lines are applied once. Default: a new name'),
    firstLine: z
      .int()
      .min(1)
      .max(2 ** 31 - 1 - batchItemsMax)
      .default(1)
      .describe('Line of the first item, for files sent in parts'),
    items: z.array(SanctionBatchItem).min(1).max(batchItemsMax),
    dryRun: z.boolean().default(false).describe('Report what would happen, and change nothing'),
  })
  .meta({ id: 'ApplySanctionsRequest' });
export type ApplySanctionsRequest = z.infer<typeof ApplySanctionsRequest>;

/** The result for one line. Only a dry run has refused lines: otherwise one refused line refuses the batch. */
export const BatchLine = z
  .object({
    line: z.int(),
    outcome: z.enum(['created', 'unchanged', 'refused']).describe('unchanged: the line was applied before'),
    sanctionId: z.string().nullable(),
    inForce: z.array(z.string()).describe('Sanctions of the same type already in force against the same person'),
    unknown: z.boolean().describe('True if nobody has been in the project under this id'),
    namesakes: z
      .array(z.string())
      .describe('In a dry run, external ids of people whose display name is the unknown id; at most 5'),
    doubleOf: z.int().nullable().describe('The first line of the request about the same person'),
    code: z.string().nullable().describe('Why it is refused'),
    message: z.string().nullable(),
  })
  .meta({ id: 'SanctionBatchLine' });
export type BatchLine = z.infer<typeof BatchLine>;

export const AppliedSanctions = z
  .object({
    batchId: z.string(),
    dryRun: z.boolean(),
    created: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    unknown: z.int().describe('Lines about people who have not been in the project'),
    doubled: z.int().describe('Lines about somebody who is in an earlier line too'),
    lines: z.array(BatchLine),
  })
  .meta({ id: 'AppliedSanctions' });
export type AppliedSanctions = z.infer<typeof AppliedSanctions>;

export const UndoSanctionsRequest = z
  .object({ reason: z.string().max(500).optional().describe('Why the batch is undone') })
  .meta({ id: 'UndoSanctionsRequest' });

export const UndoneSanctions = z
  .object({
    batchId: z.string(),
    revoked: z.int().describe('Revoked by this call'),
    ended: z.int().describe('Had ended before'),
  })
  .meta({ id: 'UndoneSanctions' });
export type UndoneSanctions = z.infer<typeof UndoneSanctions>;

const SanctionBatch = z
  .object({
    batchId: z.string(),
    sanctions: z.int().describe('Lines that were applied'),
    active: z.int().describe('Those that have not ended'),
    createdByUserId: z.string(),
    createdAt: Timestamp,
    undoneAt: Timestamp.nullable(),
    undoneByUserId: z.string().nullable(),
  })
  .meta({ id: 'SanctionBatch' });

const SanctionBatchList = PageInfo.extend({ batches: z.array(SanctionBatch) }).meta({ id: 'SanctionBatchList' });
export type SanctionBatchList = z.infer<typeof SanctionBatchList>;

const group = 'Sanctions';
const auth = ['apiKey', 'bearer'] as const;

const SanctionBatchQuery = PageQuery.extend({
  createdByUserId: Id.optional().describe('Only batches that this moderator or key applied'),
  ...madeQuery('batches applied'),
});
export type SanctionBatchQuery = z.output<typeof SanctionBatchQuery>;

export const sanctionBatchRoutes = {
  apply: defineRoute({
    operationId: 'applySanctions',
    summary: 'Issue many sanctions at once: all of them or none.',
    description:
      'One refused line refuses the whole batch, and nothing of it is stored. Lines are checked first and then stored in one transaction, so others see all of them or none. The answer is sent when they are in force in the rooms. If the request is sent again under the same batchId, lines that were applied stay as they are.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions/batch',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ProjectPath,
    body: ApplySanctionsRequest,
    bodyLimitBytes: batchBodyBytes,
    success: { status: 201, body: AppliedSanctions },
    errors: ['sanction_batch_refused', 'sanction_batch_undone'],
  }),
  list: defineRoute({
    operationId: 'listSanctionBatches',
    cursor: ['createdAt', 'batchId'],
    summary: 'List the batches of sanctions, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/batches',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: ProjectPath,
    query: SanctionBatchQuery,
    success: { status: 200, body: SanctionBatchList },
    errors: [],
  }),
  undo: defineRoute({
    operationId: 'undoSanctions',
    summary: 'Undo a batch: revoke those of its sanctions that are still active.',
    description:
      'No line can be added afterwards. Active sanctions are revoked 1,000 at a time, in the order of the batch. If the call is interrupted, repeat it: it continues with the rest.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions/batches/{id}/undo',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ProjectPath.extend({ id: SanctionName }),
    body: UndoSanctionsRequest.optional().default({}),
    success: { status: 200, body: UndoneSanctions },
    errors: ['sanction_batch_not_found'],
  }),
};
