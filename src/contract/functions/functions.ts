/** Functions of a project: code of the game that a hosting API runs. Earshot holds the settings and activates them. */
import { z } from 'zod';
import { CalledUrl, PathPart, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

const functionProviders = ['http'] as const;
const FunctionProvider = z.enum(functionProviders);

/**
 * `incomplete`: something is missing. `ready`: can be activated. `changing`: the hosting API is being asked. `active`: it
 * runs these settings. `outdated`: it runs earlier settings. `failed`: the last attempt failed.
 */
const functionStatuses = ['incomplete', 'ready', 'changing', 'active', 'outdated', 'failed'] as const;
const FunctionStatus = z.enum(functionStatuses);

export const environmentNamesMax = 100;
const environmentValueMax = 4_000;
const EnvironmentName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'write letters, digits and _, and do not begin with a digit');
/** Id of a resource package or a location, as the hosting API has it. */
const HostingId = PathPart(200);

const FunctionCredentials = z.object({
  token: z
    .string()
    .min(1)
    .max(4000)
    .regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces'),
});

const EnvironmentChange = z
  .record(EnvironmentName, z.string().max(environmentValueMax).nullable())
  .refine((names) => Object.keys(names).length <= environmentNamesMax, `at most ${environmentNamesMax} names`);

/** Secret fields of the settings. */
export const FunctionSecrets = z.object({
  credentials: FunctionCredentials.optional(),
  environment: EnvironmentChange.optional(),
});

export const FunctionSettings = z
  .object({
    enabled: z.boolean().describe('Whether functions may run'),
    provider: FunctionProvider.nullable(),
    address: z.string().nullable().describe('Where the hosting API is'),
    credentialsConfigured: z.boolean(),
    resourcePackageId: z.string().nullable(),
    locationId: z.string().nullable(),
    environment: z.array(z.string()).describe('Names of the variables; their values are never shown'),
    status: FunctionStatus,
    statusMessage: z.string().nullable().describe('What is missing, or what went wrong'),
    activatedAt: Timestamp.nullable().describe('Of the running settings'),
  })
  .meta({ id: 'FunctionSettings' });
export type FunctionSettings = z.infer<typeof FunctionSettings>;

export const UpdateFunctionSettingsRequest = z
  .object({
    enabled: z.boolean().optional().describe('false deactivates the functions'),
    provider: FunctionProvider.nullish().describe('Who runs the functions'),
    address: CalledUrl()
      .regex(/^[^?#]*$/, 'an address without query and fragment')
      .nullish()
      .describe('Where the hosting API is'),
    credentials: FunctionCredentials.nullish().describe('Credential for the hosting API; null removes it'),
    resourcePackageId: HostingId.nullish().describe('Machine that the functions get'),
    locationId: HostingId.nullish().describe('Where they run'),
    environment: EnvironmentChange.optional().describe(
      'Variables to set; null removes one, and names that are not sent stay',
    ),
  })
  .meta({ id: 'UpdateFunctionSettingsRequest' });
export type UpdateFunctionSettingsRequest = z.infer<typeof UpdateFunctionSettingsRequest>;

const VerifyCredentialsResponse = z
  .object({ valid: z.boolean(), message: z.string().describe('The answer of the hosting API, and what to do') })
  .meta({ id: 'VerifyCredentialsResponse' });
export type VerifyCredentialsResponse = z.infer<typeof VerifyCredentialsResponse>;

export const ResourcePackage = z
  .object({
    id: HostingId,
    name: z.string().max(200),
    cpu: z.number().positive().max(10_000).describe('Processor cores'),
    memoryMiB: z.int().positive().describe('MiB of memory'),
    pricePerHour: z.number().min(0).nullable().describe("In the hosting API's currency; null: unknown"),
  })
  .meta({ id: 'ResourcePackage' });
export type ResourcePackage = z.infer<typeof ResourcePackage>;

export const Location = z
  .object({
    id: HostingId,
    name: z.string().max(200),
    region: z.string().max(200),
    available: z.boolean(),
  })
  .meta({ id: 'Location' });
export type Location = z.infer<typeof Location>;

const group = 'Functions settings';
const auth = ['apiKey', 'bearer'] as const;
const params = ProjectPath;
/** Errors of an operation that asks the hosting API. */
const asking = ['functions_not_configured', 'functions_credentials_refused', 'functions_provider_unavailable'] as const;

export const functionRoutes = {
  get: defineRoute({
    operationId: 'getFunctionSettings',
    summary: 'Show the settings of functions.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/functions/settings',
    auth,
    scope: 'functions:read',
    role: 'viewer',
    params,
    success: { status: 200, body: FunctionSettings },
    errors: [],
  }),
  update: defineRoute({
    operationId: 'updateFunctionSettings',
    summary: 'Change the given settings of functions; null clears one.',
    group,
    method: 'put',
    path: '/api/projects/{projectId}/functions/settings',
    auth,
    scope: 'functions',
    role: 'admin',
    params,
    body: UpdateFunctionSettingsRequest,
    bodyLimitBytes: 512 * 1024,
    success: { status: 200, body: FunctionSettings },
    errors: [
      'secret_needed_again',
      'functions_active',
      'functions_changing',
      'functions_environment_full',
      'functions_credentials_refused',
      'functions_provider_unavailable',
    ],
  }),
  verify: defineRoute({
    operationId: 'verifyFunctionCredentials',
    summary: 'Ask the hosting API whether the stored credentials are valid.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/functions/settings/verify-credentials',
    auth,
    scope: 'functions',
    role: 'admin',
    params,
    success: { status: 200, body: VerifyCredentialsResponse },
    errors: [],
  }),
  resourcePackages: defineRoute({
    operationId: 'listFunctionResourcePackages',
    summary: 'List the machines that the hosting API offers.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/functions/settings/resource-packages',
    auth,
    scope: 'functions:read',
    role: 'admin',
    params,
    success: { status: 200, body: z.array(ResourcePackage) },
    errors: asking,
  }),
  locations: defineRoute({
    operationId: 'listFunctionLocations',
    summary: 'List the places where the hosting API can run functions.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/functions/settings/locations',
    auth,
    scope: 'functions:read',
    role: 'admin',
    params,
    success: { status: 200, body: z.array(Location) },
    errors: asking,
  }),
  activate: defineRoute({
    operationId: 'activateFunctions',
    summary: 'Activate functions at the hosting API, with the stored settings.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/functions/settings/activate',
    auth,
    scope: 'functions',
    role: 'admin',
    params,
    success: { status: 201, body: FunctionSettings },
    errors: [...asking, 'functions_changing', 'functions_activation_refused'],
  }),
};
