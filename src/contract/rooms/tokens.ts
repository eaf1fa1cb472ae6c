/** Room tokens. */
import { z } from 'zod';
import { DisplayName, ExternalUserId, FreeData, Id, ProjectPath, RoomId, Timestamp } from '../common.js';
import { Language } from '../language.js';
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
        'Shows what only moderators see, and allows mutes, kicks, bans and notes if the caller may impose sanctions; only for rooms of this daemon',
      ),
  })
  .meta({ id: 'RoomPermissions' });

export const GenerateProjectTokenRequest = z
  .object({
    roomId: RoomId,
    userId: ExternalUserId,
    displayName: DisplayName.optional().describe(
      'Shown in the room; default: the name that the project knows, else the user id',
    ),
    userData: FreeData.optional().describe('User data in the room'),
    minor: z.boolean().optional().describe('The user is under age; kept with the participant'),
    language: Language.optional().describe('Language that the user speaks; kept with the participant'),
    permissions: RoomPermissions.optional().describe('Permissions to grant; sanctions against the user still apply'),
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
    otherUrls: z
      .array(z.string())
      .describe('Where the room is once the daemon at `url` is lost: at one of these; empty with one daemon'),
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
    summary: 'Create a room token; the project is named in the body.',
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
    summary: 'Create a room token, with the token provider of the project.',
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
    summary: 'Create a token to listen to a room as an observer of the team.',
    description:
      'Its holder is shown to everybody in the room as an observer, under the name of the project, and is not a participant. Observers hear what everybody hears and see what moderators see. The audit log says who created the token. Only rooms of this daemon have observers.',
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
