/** Reasons that the moderators of a project use often, by name. */
import { z } from 'zod';
import { ProjectPath, searchQuery, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { SanctionName } from './sanction-record.js';

export const templatesMax = 200;

export const SanctionTemplate = z
  .object({ name: SanctionName, reason: z.string(), updatedAt: Timestamp })
  .meta({ id: 'SanctionTemplate' });
export type SanctionTemplate = z.infer<typeof SanctionTemplate>;

const SetSanctionTemplateRequest = z
  .object({ reason: z.string().trim().min(1).max(500).describe('Reason that the sanctioned person sees') })
  .meta({ id: 'SetSanctionTemplateRequest' });

const group = 'Sanctions';
const auth = ['apiKey', 'bearer'] as const;
const TemplatePath = ProjectPath.extend({ name: SanctionName });

export const sanctionTemplateRoutes = {
  list: defineRoute({
    operationId: 'listSanctionTemplates',
    summary: 'List the templates: reasons that sanctions can use by name.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanction-templates',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: ProjectPath,
    query: z.object({ search: searchQuery('the name or the reason') }),
    success: { status: 200, body: z.array(SanctionTemplate) },
    errors: [],
  }),
  set: defineRoute({
    operationId: 'setSanctionTemplate',
    summary: 'Store a reason as a template; sanctions already issued keep theirs.',
    group,
    method: 'put',
    path: '/api/projects/{projectId}/sanction-templates/{name}',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: TemplatePath,
    body: SetSanctionTemplateRequest,
    success: { status: 200, body: SanctionTemplate },
    errors: ['sanction_template_limit'],
  }),
  remove: defineRoute({
    operationId: 'deleteSanctionTemplate',
    summary: 'Delete a template.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/sanction-templates/{name}',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: TemplatePath,
    success: { status: 204 },
    errors: ['sanction_template_not_found'],
  }),
};
