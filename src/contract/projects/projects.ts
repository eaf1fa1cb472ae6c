/** Projects and the people in them. Some paths and fields call a project an app. */
import { z } from 'zod';
import { Deleted, Email, Id, isVisible, notVisible, ProjectPath, searchQuery, Timestamp } from '../common.js';
import { defineRoute, projectRoles } from '../route.js';

/** A project as its users see it. Its schema is called App in the API. */
export const App = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    name: z.string(),
    role: z.enum(projectRoles).describe("The caller's role"),
    billingProjectId: z.string(),
    createdAt: Timestamp,
    isConfigured: z.boolean().describe('Whether settings exist'),
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;

const ProjectName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(isVisible, notVisible)
  .describe('Name, unique in the tenant');
const CreateProjectRequest = z.object({ name: ProjectName }).meta({ id: 'CreateProjectRequest' });
export const UpdateProjectRequest = z.object({ name: ProjectName.optional() }).meta({ id: 'UpdateProjectRequest' });

const ProjectUserRole = z.enum(projectRoles);
const ProjectUserStatus = z.enum(['pending', 'accepted']);
export const ProjectUser = z
  .object({
    permissionId: z.string(),
    userId: z.string().nullable().describe('null until an invited person has an account'),
    email: z.string(),
    role: ProjectUserRole,
    status: ProjectUserStatus,
    invitedAt: Timestamp,
    acceptedAt: Timestamp.nullable(),
    invitedByUserId: z.string().nullable().describe('Account or key that invited them; null: nobody'),
  })
  .meta({ id: 'ProjectUser' });
export type ProjectUser = z.infer<typeof ProjectUser>;

export const ProjectUserListQuery = z.object({
  search: searchQuery('the e-mail address'),
  role: ProjectUserRole.optional().describe('Only these'),
  status: ProjectUserStatus.optional().describe('pending: invited, not accepted yet'),
});
export type ProjectUserListQuery = z.infer<typeof ProjectUserListQuery>;

/** The link is in the answer when no mail was sent, so that the inviter can pass it on. */
export const InvitedProjectUser = ProjectUser.extend({
  invitationUrl: z.string().nullable().describe('Link to give to the person; null if it was sent by mail'),
}).meta({ id: 'InvitedProjectUser' });
export type InvitedProjectUser = z.infer<typeof InvitedProjectUser>;

/** Access that a person or a key gave to others: it goes on when they lose theirs. */
export const MadeAccess = z
  .object({
    kind: z
      .enum(['apiKey', 'invitation', 'member'])
      .describe('apiKey: a key; invitation: one that is open; member: somebody who accepted one'),
    id: z.string().describe('Key, or permission id'),
    name: z.string().describe('Name of the key, or e-mail address'),
    projectId: z.string().nullable().describe('Project that it is for; null: every project of the tenant'),
    withdrawn: z.boolean().describe('True if this request has ended it; false: it goes on'),
  })
  .meta({ id: 'MadeAccess' });
export type MadeAccess = z.infer<typeof MadeAccess>;

export const InviteProjectUserRequest = z
  .object({ email: Email, role: ProjectUserRole.default('viewer').describe('What they may do in the project') })
  .meta({ id: 'InviteProjectUserRequest' });
export const RemoveProjectUserRequest = z
  .object({
    permissionId: Id,
    withdraw: z
      .boolean()
      .default(false)
      .describe('Also revoke the keys that they made for the project, and withdraw the open invitations'),
  })
  .meta({ id: 'RemoveProjectUserRequest' });
export const ChangeProjectUserRoleRequest = z
  .object({ permissionId: Id, role: ProjectUserRole })
  .meta({ id: 'ChangeProjectUserRoleRequest' });
const RemovedProjectUser = z
  .object({
    permissionId: z.string(),
    removed: z.literal(true),
    made: z.array(MadeAccess).describe('Keys and invitations that they made for the project, and who accepted one'),
  })
  .meta({ id: 'RemovedProjectUser' });

const ProjectAuthor = z
  .object({ id: z.string(), kind: z.enum(['user', 'apiKey']), name: z.string() })
  .meta({ id: 'ProjectAuthor' });
export type ProjectAuthor = z.infer<typeof ProjectAuthor>;

const group = 'Projects, project users and tokens';
const auth = ['apiKey', 'bearer'] as const;

export const projectRoutes = {
  list: defineRoute({
    operationId: 'listProjects',
    summary: 'List the projects you may read, those shared with you included.',
    group,
    method: 'get',
    path: '/api/projects',
    auth,
    scope: 'projects:read',
    query: z.object({ search: searchQuery('the name') }),
    success: { status: 200, body: z.array(App) },
    errors: [],
  }),
  create: defineRoute({
    operationId: 'createProject',
    summary: 'Create a project; you become its owner.',
    group,
    method: 'post',
    path: '/api/projects',
    auth: ['bearer'],
    tenantRole: 'admin',
    body: CreateProjectRequest,
    success: { status: 201, body: App },
    errors: ['project_name_taken'],
  }),
  update: defineRoute({
    operationId: 'updateProject',
    summary: 'Rename a project.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}',
    auth,
    scope: 'projects',
    role: 'admin',
    params: ProjectPath,
    body: UpdateProjectRequest,
    success: { status: 200, body: App },
    errors: ['project_name_taken'],
  }),
  remove: defineRoute({
    operationId: 'deleteProject',
    summary: 'Delete a project and everything in it.',
    description: 'The project is out of reach at once; a background job then deletes its data.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}',
    auth,
    scope: 'projects',
    role: 'owner',
    params: ProjectPath,
    success: { status: 200, body: Deleted },
    errors: ['legal_hold'],
  }),
};

export const projectUserRoutes = {
  list: defineRoute({
    operationId: 'listProjectUsers',
    cursor: ['permissionId'],
    summary: 'List the people who may work in the project, with role and invitation status.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/users',
    auth,
    scope: 'users:read',
    role: 'viewer',
    params: ProjectPath,
    query: ProjectUserListQuery,
    success: { status: 200, body: z.array(ProjectUser) },
    errors: [],
  }),
  authors: defineRoute({
    operationId: 'findProjectAuthors',
    summary: 'Find people and keys by name, those who left and keys that were revoked included.',
    description: 'For questions about the past: who imposed a sanction may not be in the project any more.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/authors',
    auth,
    scope: 'users:read',
    role: 'moderator',
    params: ProjectPath,
    query: z.object({ name: z.string().min(1).max(320).describe('E-mail address, or name of a key') }),
    success: { status: 200, body: z.array(ProjectAuthor) },
    errors: [],
  }),
  invite: defineRoute({
    operationId: 'inviteProjectUser',
    summary: 'Invite somebody by e-mail.',
    description: 'A key can give at most the role moderator, because administrators make keys with every scope.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/users/invite',
    auth,
    scope: 'users',
    role: 'admin',
    params: ProjectPath,
    body: InviteProjectUserRequest,
    success: { status: 201, body: InvitedProjectUser },
    errors: ['already_invited', 'insufficient_role'],
    idempotencyKey: false,
  }),
  remove: defineRoute({
    operationId: 'removeProjectUser',
    summary: "Revoke somebody's access, or withdraw an invitation.",
    description:
      'The answer shows what they gave to others in the project: keys, invitations, and the people who accepted one. Keys and open invitations end with `withdraw`; remove people yourself.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/users/remove',
    auth,
    scope: 'users',
    role: 'admin',
    params: ProjectPath,
    body: RemoveProjectUserRequest,
    success: { status: 201, body: RemovedProjectUser },
    errors: ['permission_not_found', 'last_owner', 'insufficient_role'],
  }),
  changeRole: defineRoute({
    operationId: 'changeProjectUserRole',
    summary: "Change somebody's role.",
    description: 'A key can give at most the role moderator.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/users/change-role',
    auth,
    scope: 'users',
    role: 'admin',
    params: ProjectPath,
    body: ChangeProjectUserRoleRequest,
    success: { status: 201, body: ProjectUser },
    errors: ['permission_not_found', 'last_owner', 'insufficient_role'],
  }),
};
