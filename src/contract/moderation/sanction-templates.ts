/** Reasons that the moderators of a project use often, by name. */
import { z } from 'zod';
import { ProjectPath, searchQuery, Timestamp } from '../common.js';
import { Language } from '../language.js';
import { defineRoute } from '../route.js';
import { SanctionName } from './sanction-record.js';
import { Ground } from './statement-basis.js';

export const templatesMax = 200;
const languagesMax = 40;

const Reason = z.string().trim().min(1).max(500);

export const SanctionTemplate = z
  .object({
    name: SanctionName,
    reason: z.string(),
    reasons: z.record(Language, z.string()).describe('The reason in other languages'),
    ground: Ground.nullable(),
    updatedAt: Timestamp,
  })
  .meta({ id: 'SanctionTemplate' });
export type SanctionTemplate = z.infer<typeof SanctionTemplate>;

export const SetSanctionTemplateRequest = z
  .object({
    reason: Reason.describe('Reason that the sanctioned person sees'),
    reasons: z
      .record(Language, Reason)
      .refine((texts) => Object.keys(texts).length <= languagesMax, `has at most ${languagesMax} languages`)
      .default({})
      .describe('The reason in other languages: de, pt-BR, …'),
    ground: Ground.nullish().describe('The law or the terms that such behaviour is against'),
  })
  .meta({ id: 'SetSanctionTemplateRequest' });
export type SetSanctionTemplateRequest = z.output<typeof SetSanctionTemplateRequest>;

const group = 'Sanctions';
const auth = ['apiKey', 'bearer'] as const;
const TemplatePath = ProjectPath.extend({ name: SanctionName });

export const sanctionTemplateRoutes = {
  list: defineRoute({
    operationId: 'listSanctionTemplates',
    cursor: ['name'],
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
