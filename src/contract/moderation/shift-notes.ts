/** What moderators write for those who come after them. */
import { z } from 'zod';
import { PageInfo, PageQuery, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

export const ShiftNote = z
  .object({ id: z.string(), text: z.string(), createdByUserId: z.string(), createdAt: Timestamp })
  .meta({ id: 'ShiftNote' });
export type ShiftNote = z.infer<typeof ShiftNote>;

const CreateShiftNoteRequest = z
  .object({ text: z.string().trim().min(1).max(4000).describe('What the next moderator should know') })
  .meta({ id: 'CreateShiftNoteRequest' });

const ShiftNotePage = PageInfo.extend({ notes: z.array(ShiftNote) }).meta({ id: 'ShiftNotePage' });
export type ShiftNotePage = z.infer<typeof ShiftNotePage>;

const shared = {
  group: 'Sanctions',
  path: '/api/projects/{projectId}/shift-notes',
  auth: ['apiKey', 'bearer'],
  role: 'moderator',
  params: ProjectPath,
  errors: [],
} as const;

export const shiftNoteRoutes = {
  list: defineRoute({
    ...shared,
    operationId: 'listShiftNotes',
    summary: 'List what moderators wrote for those who come after them, newest first.',
    description: 'Notes are kept for 30 days.',
    method: 'get',
    scope: 'sanctions:read',
    query: PageQuery,
    success: { status: 200, body: ShiftNotePage },
  }),
  create: defineRoute({
    ...shared,
    operationId: 'createShiftNote',
    summary: 'Write a note for the moderators who come after you.',
    method: 'post',
    scope: 'sanctions',
    body: CreateShiftNoteRequest,
    success: { status: 201, body: ShiftNote },
  }),
};
