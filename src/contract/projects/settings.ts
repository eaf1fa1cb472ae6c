/** Settings of a project: token provider, bot, debug audio, encryption, secret. */
import { z } from 'zod';
import { CalledUrl, Deleted, FreeData, isVisible, notVisible, PathPart, ProjectPath, Timestamp } from '../common.js';
import { Language } from '../language.js';
import { defineRoute } from '../route.js';

/**
 * Stands in answers for a stored secret; sent back, it keeps the stored one unless the address changes to another
 * server.
 */
export const maskedSecret = '***';

export const tokenProviders = ['embedded', 'livekit', 'access_key', 'url'] as const;
export const TokenProvider = z.enum(tokenProviders);
export type TokenProvider = z.infer<typeof TokenProvider>;

export const TokenProviderSettings = z
  .object({
    url: CalledUrl(/^(https?|wss?)$/)
      .optional()
      .describe('livekit: server address (wss://…); url: endpoint that returns tokens'),
    apiKey: z.string().min(1).max(500).optional().describe('livekit: API key'),
    apiSecret: z.string().min(1).max(500).optional().describe('livekit: API secret'),
    accessKey: z.string().min(1).max(500).optional().describe('access_key: ODIN access key'),
    authorization: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe('url: value of the header Authorization in requests to it'),
  })
  .meta({ id: 'TokenProviderSettings' });
export type TokenProviderSettings = z.infer<typeof TokenProviderSettings>;

export const encryptionModes = ['manual', 'disabled', 'automatic'] as const;
export const EncryptionMode = z.enum(encryptionModes);

const Share = z.number().min(0).max(1);
/** Applies where a project sets no `noSpeechProbabilityMax`: models invent words for silence. */
export const noSpeechProbabilityDefault = 0.6;

export const AppSettingsResponse = z
  .object({
    id: z.string(),
    appId: z.string(),
    tokenProvider: TokenProvider,
    tokenProviderSettings: z.record(z.string(), z.string()).describe(`Secrets as ${maskedSecret}`),
    botUserId: z.string().nullable().describe('User id of the bot in the room'),
    botUserData: FreeData.nullable(),
    isConfigured: z.boolean(),
    hasSecret: z.boolean(),
    debugAudioEnabled: z.boolean(),
    projectName: z.string().nullable(),
    billingProjectId: z.string().nullable(),
    e2eEncryptionMode: EncryptionMode,
    e2eEncryptionPassword: z
      .string()
      .nullable()
      .describe('Mode manual only; *** below the role admin and for keys without the full scope settings'),
    transcriptRetentionDays: z.int().nullable().describe('null: keep'),
    minorsTranscriptRetentionDays: z.int().nullable().describe('Of people under age; null: as of others'),
    speechConfidenceMin: Share.nullable().describe(
      'Less certain speech is unheard by plugins and rules; null: none is',
    ),
    noSpeechProbabilityMax: Share.nullable().describe(
      `Likelier silence is unheard by plugins and rules; null: ${noSpeechProbabilityDefault}`,
    ),
    speechLanguage: z
      .string()
      .nullable()
      .describe('Language of speakers whose own is unknown; null: the recogniser finds out'),
    speechVocabulary: z.array(z.string()).describe('Names and terms that the recogniser should know'),
    gameName: z
      .string()
      .nullable()
      .describe('Name of the game, for people who are sanctioned or who report; null: that of the project'),
    operatorName: z.string().nullable().describe('Who runs the game and how to reach them, for the same people'),
    updatedAt: Timestamp,
  })
  .meta({ id: 'AppSettingsResponse' });
export type AppSettingsResponse = z.infer<typeof AppSettingsResponse>;

const BotUserId = PathPart(200);
const RetentionDays = z.int().min(1).max(3650);
const ConfidenceMin = Share.nullish().describe('Plugins and rules skip less certain speech (0–1); null: none');
const NoSpeechMax = Share.nullish().describe(
  `Plugins and rules skip speech that is likelier silence (0–1); null: ${noSpeechProbabilityDefault}`,
);

const SpeechLanguage = Language.nullish().describe(
  'Language of speakers whose own is unknown (en, de); null: found out',
);
/** Words and phrases that a project gives its recogniser, and characters of each. */
const vocabularyMax = 100;
const vocabularyCharactersMax = 60;
const SpeechVocabulary = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(vocabularyCharactersMax)
      .regex(/^[^\n\r/:]*$/, 'has no line break, / or :'),
  )
  .max(vocabularyMax)
  .nullish()
  .describe('Names and terms that the recogniser should know; null: none');

const line = (charactersMax: number) =>
  z.string().trim().min(1).max(charactersMax).refine(isVisible, notVisible).nullish();
const GameName = line(100).describe(
  'Name of the game, for people who are sanctioned or who report; null: that of the project',
);
const OperatorName = line(300).describe('Who runs the game and how to reach them, for the same people');

export const UpsertAppSettingsRequest = z
  .object({
    tokenProvider: TokenProvider.describe('Provider of room tokens'),
    tokenProviderSettings: TokenProviderSettings.default({}).describe('What the provider needs'),
    botUserId: BotUserId.nullish().describe('User id of the bot in the room'),
    botUserData: FreeData.nullish().describe('User data of the bot in the room'),
    transcriptRetentionDays: RetentionDays.nullish().describe('Days to keep transcripts; null: forever'),
    minorsTranscriptRetentionDays: RetentionDays.nullish().describe(
      'Days to keep what people under age say; the smaller counts; null: as of others',
    ),
    speechConfidenceMin: ConfidenceMin,
    noSpeechProbabilityMax: NoSpeechMax,
    speechLanguage: SpeechLanguage,
    speechVocabulary: SpeechVocabulary,
    gameName: GameName,
    operatorName: OperatorName,
  })
  .meta({ id: 'UpsertAppSettingsRequest' });
export type UpsertAppSettingsRequest = z.infer<typeof UpsertAppSettingsRequest>;

export const UpdateAppSettingsRequest = z
  .object({
    tokenProvider: TokenProvider.optional().describe('Provider of room tokens'),
    tokenProviderSettings: TokenProviderSettings.optional(),
    botUserId: BotUserId.nullish().describe('User id of the bot in the room; null: the usual one'),
    botUserData: FreeData.nullish().describe('User data of the bot in the room; null: none'),
    transcriptRetentionDays: RetentionDays.nullish().describe('Days to keep transcripts; null: forever'),
    minorsTranscriptRetentionDays: RetentionDays.nullish().describe(
      'Days to keep what people under age say; the smaller counts; null: as of others',
    ),
    speechConfidenceMin: ConfidenceMin,
    noSpeechProbabilityMax: NoSpeechMax,
    speechLanguage: SpeechLanguage,
    speechVocabulary: SpeechVocabulary,
    gameName: GameName,
    operatorName: OperatorName,
  })
  .meta({ id: 'UpdateAppSettingsRequest' });
export type UpdateAppSettingsRequest = z.infer<typeof UpdateAppSettingsRequest>;

const UpdateDebugAudioRequest = z.object({ enabled: z.boolean() }).meta({ id: 'UpdateDebugAudioRequest' });
export const UpdateE2EEncryptionRequest = z
  .object({
    mode: EncryptionMode,
    password: z.string().min(8).max(200).optional().describe('Mode manual; default: the stored one'),
  })
  .meta({ id: 'UpdateE2EEncryptionRequest' });
export type UpdateE2EEncryptionRequest = z.infer<typeof UpdateE2EEncryptionRequest>;

const ProjectSecret = z.object({ secret: z.string().describe('64 hexadecimal digits') }).meta({ id: 'ProjectSecret' });
export const overlapSecondsDefault = 86_400;
const overlapSecondsMax = 7 * 86_400;
export const RotateProjectSecretRequest = z
  .object({
    overlapSeconds: z
      .int()
      .min(0)
      .max(overlapSecondsMax)
      .default(overlapSecondsDefault)
      .meta({ unit: 'seconds' })
      .describe('How long signatures by the previous secret are accepted, too; 0 for one that has leaked'),
  })
  .meta({ id: 'RotateProjectSecretRequest' });
const RotatedProjectSecret = z
  .object({
    hasSecret: z.literal(true),
    previousUntil: Timestamp.nullable().describe('Until when the previous secret is accepted; null: not any more'),
  })
  .meta({ id: 'RotatedProjectSecret' });
const HasSecret = z.object({ hasSecret: z.boolean() }).meta({ id: 'HasSecret' });

const group = 'Project settings';
const auth = ['apiKey', 'bearer'] as const;
const params = ProjectPath;

export const settingsRoutes = {
  get: defineRoute({
    operationId: 'getSettings',
    summary: 'Show the settings of the project.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/settings',
    auth,
    scope: 'settings:read',
    role: 'viewer',
    params,
    success: { status: 200, body: AppSettingsResponse },
    errors: ['settings_not_found'],
  }),
  put: defineRoute({
    operationId: 'putSettings',
    summary: 'Set the token provider and the bot fields; other settings stay.',
    group,
    method: 'put',
    path: '/api/projects/{projectId}/settings',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    body: UpsertAppSettingsRequest,
    success: { status: 200, body: AppSettingsResponse },
    errors: ['secret_needed_again'],
  }),
  update: defineRoute({
    operationId: 'updateSettings',
    summary: 'Change the given settings only.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/settings',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    body: UpdateAppSettingsRequest,
    success: { status: 200, body: AppSettingsResponse },
    errors: ['settings_not_found', 'secret_needed_again'],
  }),
  remove: defineRoute({
    operationId: 'deleteSettings',
    summary: 'Delete the settings; sessions cannot start until there are new ones.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/settings',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    success: { status: 200, body: Deleted },
    errors: ['settings_not_found'],
  }),
  secret: defineRoute({
    operationId: 'getProjectSecret',
    summary: 'Show the project secret, the key that ingested events are signed with.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/settings/secret',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    success: { status: 200, body: ProjectSecret },
    errors: ['secret_not_found'],
  }),
  debugAudio: defineRoute({
    operationId: 'updateDebugAudio',
    summary: 'Turn the storage of debug audio on or off.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/settings/debug-audio',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    body: UpdateDebugAudioRequest,
    success: { status: 200, body: AppSettingsResponse },
    errors: ['settings_not_found'],
  }),
  e2eEncryption: defineRoute({
    operationId: 'updateE2EEncryption',
    summary: 'Set the mode of end-to-end encryption; mode manual needs a password.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/settings/e2e-encryption',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    body: UpdateE2EEncryptionRequest,
    success: { status: 200, body: AppSettingsResponse },
    errors: ['settings_not_found', 'e2ee_password_required'],
  }),
  syncSecret: defineRoute({
    operationId: 'syncSecret',
    summary: 'Copy the project secret from the billing system.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/settings/sync-secret',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    success: { status: 200, body: HasSecret },
    errors: ['settings_not_found', 'no_secret_found', 'billing_unavailable'],
  }),
  rotateSecret: defineRoute({
    operationId: 'rotateProjectSecret',
    summary: 'Replace the project secret; for a time the previous one is accepted, too.',
    description:
      'What is signed by either is accepted until then. Without a billing system the daemon makes the new secret. With one, rotate it there first: this operation fetches it.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/settings/rotate-secret',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    body: RotateProjectSecretRequest,
    success: { status: 200, body: RotatedProjectSecret },
    errors: ['settings_not_found', 'no_secret_found', 'secret_unchanged', 'billing_unavailable'],
  }),
  revokeSecret: defineRoute({
    operationId: 'revokeSecret',
    summary: 'Delete the copy of the project secret; ingest is refused until the next sync.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/settings/revoke-secret',
    auth,
    scope: 'settings',
    role: 'admin',
    params,
    success: { status: 200, body: HasSecret },
    errors: [],
  }),
};
