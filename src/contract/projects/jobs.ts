/** Background work on a project during which the daemon crashed. */
import { z } from 'zod';
import { ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

/** Background jobs that go by project. */
export const projectJobs = ['plugins', 'rules', 'webhook-backlog'] as const;
const ProjectJob = z
  .enum(projectJobs)
  .describe('plugins: queueing their runs; rules: judging by them; webhook-backlog: making deliveries');

export const InterruptedJob = z
  .object({
    job: ProjectJob,
    subject: z.string().describe('Id of what it is about: the project, a plugin instance or a webhook'),
    ends: z.int().describe('How often a daemon crashed during it'),
    endedAt: Timestamp.describe('When the last crash was noticed'),
    setAside: z.boolean().describe('true: the daemon crashed twice during the work, which waits until it is resumed'),
  })
  .meta({ id: 'InterruptedJob' });
export type InterruptedJob = z.infer<typeof InterruptedJob>;

const ResumeJobRequest = z.object({ job: ProjectJob }).meta({ id: 'ResumeJobRequest' });
const ResumedJobs = z
  .object({ resumed: z.int().describe('How many pieces of work are retried') })
  .meta({ id: 'ResumedJobs' });

const group = 'Projects, project users and tokens';
const auth = ['apiKey', 'bearer'] as const;

export const projectJobRoutes = {
  list: defineRoute({
    operationId: 'listInterruptedJobs',
    cursor: ['job', 'subject'],
    summary: 'List background work on the project during which the daemon crashed.',
    description: 'After the first crash it is retried alone, after the second it is set aside.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/jobs',
    auth,
    scope: 'projects:read',
    role: 'viewer',
    params: ProjectPath,
    success: { status: 200, body: z.array(InterruptedJob) },
    errors: [],
  }),
  resume: defineRoute({
    operationId: 'resumeInterruptedJobs',
    summary: 'Resume background work on the project that was set aside.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/jobs/resume',
    auth,
    scope: 'projects',
    role: 'admin',
    params: ProjectPath,
    body: ResumeJobRequest,
    success: { status: 200, body: ResumedJobs },
    errors: [],
  }),
};
