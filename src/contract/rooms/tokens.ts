/** Room tokens. */
import { z } from 'zod';
import { DisplayName, ExternalUserId, FreeData, Id, ProjectPath, RoomId, Timestamp } from '../common.js';
import { EncryptionMode, TokenProvider } from '../projects/settings.js';
import { defineRoute } from '../route.js';

const RoomPermissions = z
  .object({
    publish: z.boolean().default(true),
    subscribe: z.boolean().default(true),
    moderate: z
      .boolean()
      .default(false)
      .describe(
        'Shows what only moderators see, and mutes, kicks, bans and notes where the caller may impose sanctions; rooms of this daemon alone have it',
      ),
  })
  .meta({ id: 'RoomPermissions' });

export const GenerateProjectTokenRequest = z
  .object({
    roomId: RoomId,
    userId: ExternalUserId,
    displayName: DisplayName.optional().describe(
      'Shown in the room; left out: the name that the project knows, else the user id',
    ),
    userData: FreeData.optional().describe('Carried into the room'),
    permissions: RoomPermissions.optional().describe('Narrower than the sanctions of the user allow'),
  })
  .meta({ id: 'GenerateProjectTokenRequest' });
export type GenerateProjectTokenRequest = z.infer<typeof GenerateProjectTokenRequest>;

const GenerateTokenRequest = GenerateProjectTokenRequest.extend({ projectId: Id }).meta({
  id: 'GenerateTokenRequest',
});

const RoomEncryption = z
  .object({
    mode: EncryptionMode,
    key: z.string().nullable().describe('Password (manual) or key (automatic) of the room'),
    keyIndex: z.int().nullable(),
  })
  .meta({ id: 'RoomEncryption' });

export const GenerateTokenResponse = z
  .object({
    token: z.string(),
    provider: TokenProvider,
    url: z.string().nullable().describe('Where the room is'),
    roomId: z.string(),
    expiresAt: Timestamp.nullable(),
    e2ee: RoomEncryption.nullable().describe('null when encryption is disabled'),
  })
  .meta({ id: 'GenerateTokenResponse' });
export type GenerateTokenResponse = z.infer<typeof GenerateTokenResponse>;

const group = 'Projects, project users and tokens';
const auth = ['apiKey', 'bearer'] as const;
const errors = [
  'external_user_id_reserved',
  'participant_banned',
  'settings_not_configured',
  'provider_unsupported',
  'token_provider_failed',
] as const;

export const tokenRoutes = {
  generate: defineRoute({
    operationId: 'generateToken',
    summary: 'Make a room token; the project is named in the body.',
    group,
    method: 'post',
    path: '/api/projects/token',
    auth,
    scope: 'tokens',
    role: 'moderator',
    projectIn: 'body',
    bodyLimitBytes: 64 * 1024,
    body: GenerateTokenRequest,
    success: { status: 201, body: GenerateTokenResponse },
    errors,
    idempotencyKey: false,
  }),
  generateForProject: defineRoute({
    operationId: 'generateProjectToken',
    summary: 'Make a room token with the provider of the project settings.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/token',
    auth,
    scope: 'tokens',
    role: 'moderator',
    params: ProjectPath,
    body: GenerateProjectTokenRequest,
    success: { status: 201, body: GenerateTokenResponse },
    errors,
    idempotencyKey: false,
  }),
  observe: defineRoute({
    operationId: 'observeRoom',
    summary: 'Make a token to listen to a room as an observer of the team.',
    description:
      'Whoever enters with it is shown to everybody in the room as an observer, under the name of the project, and is no participant. They hear what all hear and see what moderators see. The audit log says who made the token. Rooms of this daemon alone take observers.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/rooms/{roomId}/observers',
    auth,
    scope: 'tokens',
    role: 'moderator',
    params: ProjectPath.extend({ roomId: RoomId }),
    success: { status: 201, body: GenerateTokenResponse },
    errors: ['settings_not_configured', 'provider_unsupported'],
    idempotencyKey: false,
  }),
};
