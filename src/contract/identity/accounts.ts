/** Health and login: the greeting, signing in, the profile, passwords and invitations. */
import { z } from 'zod';
import { DisplayName, Email, Timestamp } from '../common.js';
import { defineRoute, projectRoles, tenantRoles } from '../route.js';

export const Password = z.string().min(10).max(200).describe('At least 10 characters');

export const Greeting = z
  .object({
    message: z.string(),
    name: z.string(),
    version: z.string(),
    publicUrl: z.string().describe('Address that links and room URLs begin with'),
  })
  .meta({ id: 'Greeting' });
export type Greeting = z.infer<typeof Greeting>;

export const UserProfile = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    email: z.string(),
    displayName: z.string(),
    role: z.enum(tenantRoles),
    createdAt: Timestamp,
  })
  .meta({ id: 'UserProfile' });
export type UserProfile = z.infer<typeof UserProfile>;

export const LoginResponse = z
  .object({
    accessToken: z.string().describe('Send as Authorization: Bearer'),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Seconds'),
    user: UserProfile,
  })
  .meta({ id: 'LoginResponse' });
export type LoginResponse = z.infer<typeof LoginResponse>;

const LoginRequest = z
  .object({
    sessionId: z.string().min(1).max(12_000).describe("The identity provider's ID token, access token or session id"),
    nonce: z.string().min(1).max(200).optional().describe('Nonce that the ID token must contain'),
  })
  .meta({ id: 'LoginRequest' });
export type LoginRequest = z.infer<typeof LoginRequest>;

export const IdentityProvider = z
  .object({
    issuer: z.string().describe("The provider's name for itself, and its address"),
    clientId: z.string().describe('Client that people sign in to'),
    authorizationEndpoint: z
      .string()
      .nullable()
      .describe('Page that a browser opens to sign in; null: the provider has none, or does not answer'),
    redirectUri: z
      .string()
      .describe('Address of this machine that the provider sends browsers back to; without a port: any port'),
    scope: z.string().describe('What to ask the provider for'),
    hasDeviceFlow: z.boolean().describe('True if people can sign in with a code on another device'),
    problem: z
      .string()
      .nullable()
      .describe('What keeps people from signing in; null: nothing that the daemon has found'),
  })
  .meta({ id: 'IdentityProvider' });
export type IdentityProvider = z.infer<typeof IdentityProvider>;

const LoginWithCodeRequest = z
  .object({
    code: z.string().min(1).max(4096).describe('Authorization code that the provider sent the browser back with'),
    codeVerifier: z
      .string()
      .regex(/^[\w.~-]{43,128}$/, 'write 43 to 128 characters of RFC 7636')
      .describe('PKCE code verifier whose S256 challenge was sent to the provider'),
    nonce: z
      .string()
      .min(16)
      .max(200)
      .describe('Nonce that was sent to the provider; with `daemonUrl` what it was made from'),
    daemonUrl: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional()
      .describe(
        'Address at which the program reaches the daemon. The provider then got as nonce `earshot.` and the base64url SHA-256 of nonce, line feed and the origin of this address',
      ),
    redirectUri: z.url().max(2048).describe('Redirect URI that was sent to the provider'),
  })
  .meta({ id: 'LoginWithCodeRequest' });
export type LoginWithCodeRequest = z.infer<typeof LoginWithCodeRequest>;

export const DeviceLogin = z
  .object({
    deviceCode: z.string().describe('Send to `/api/auth/device/login`; keep it secret'),
    userCode: z.string().describe('Show to the person'),
    verificationUri: z.string().describe('Address where the person enters the user code'),
    verificationUriComplete: z
      .string()
      .nullable()
      .describe('The same with the code in it; null: the provider has none'),
    expiresIn: z.int().describe('Seconds'),
    interval: z.int().describe('Seconds to wait before each call of `/api/auth/device/login`'),
  })
  .meta({ id: 'DeviceLogin' });
export type DeviceLogin = z.infer<typeof DeviceLogin>;

const FinishDeviceLoginRequest = z
  .object({ deviceCode: z.string().min(1).max(4096).describe('From `/api/auth/device`') })
  .meta({ id: 'FinishDeviceLoginRequest' });

export const loginCodeLength = 8;
const LoginCode = z
  .string()
  .regex(new RegExp(`^\\d{${loginCodeLength}}$`), `write the ${loginCodeLength} digits of the code`)
  .describe('From the email that `login_code_sent` speaks of');

export const LoginCredentials = z
  .object({
    email: Email,
    password: z.string().min(1).max(200),
    code: LoginCode.optional(),
  })
  .meta({ id: 'LoginCredentials' });
export type LoginCredentials = z.infer<typeof LoginCredentials>;

const ChangePasswordRequest = z
  .object({ currentPassword: z.string().min(1).max(200), newPassword: Password })
  .meta({ id: 'ChangePasswordRequest' });

export const AcceptUserInvitationRequest = z
  .object({
    token: z.string().min(1).max(200).describe('From the invitation link'),
    password: Password.optional().describe('Password of the account, or one for the new account'),
    displayName: DisplayName.optional(),
    code: LoginCode.optional(),
  })
  .meta({ id: 'AcceptUserInvitationRequest' });
export type AcceptUserInvitationRequest = z.infer<typeof AcceptUserInvitationRequest>;

const ReadUserInvitationRequest = AcceptUserInvitationRequest.pick({ token: true }).meta({
  id: 'ReadUserInvitationRequest',
});

export const UserInvitation = z
  .object({
    email: z.string().describe('Who is invited'),
    project: z.string().describe('Name of the project'),
    role: z.enum(projectRoles),
    invitedBy: z.string().nullable().describe('Name and e-mail address of a person, or name of a key'),
    hasAccount: z
      .boolean()
      .describe('True if the address has an account, whose password is needed; false if accepting creates one'),
    expiresAt: Timestamp,
  })
  .meta({ id: 'UserInvitation' });
export type UserInvitation = z.infer<typeof UserInvitation>;

const group = 'Health and login';
/** Refusals of a person whom the provider has told the daemon about. */
const identityErrors = [
  'identity_provider_not_configured',
  'identity_refused',
  'identity_answer_invalid',
  'identity_client_refused',
  'identity_email_unverified',
  'identity_unknown_user',
  'identity_other_person',
  'identity_unavailable',
  'rate_limited',
] as const;

export const accountRoutes = {
  greet: defineRoute({
    operationId: 'greet',
    summary: 'Show which program and version answers.',
    group,
    method: 'get',
    path: '/api',
    auth: [],
    success: { status: 200, body: Greeting },
    errors: [],
  }),
  login: defineRoute({
    operationId: 'login',
    summary: "Exchange an identity provider's session for a user token.",
    group,
    method: 'post',
    path: '/api/auth/login',
    auth: [],
    body: LoginRequest,
    success: { status: 201, body: LoginResponse },
    errors: [...identityErrors, 'identity_token_kind'],
    idempotencyKey: false,
  }),
  provider: defineRoute({
    operationId: 'getIdentityProvider',
    summary: 'Show the identity provider, and what a program needs to sign people in there.',
    group,
    method: 'get',
    path: '/api/auth/provider',
    auth: [],
    success: { status: 200, body: IdentityProvider },
    errors: ['identity_provider_not_configured'],
  }),
  loginWithCode: defineRoute({
    operationId: 'loginWithCode',
    summary: "Exchange an identity provider's authorization code for a user token.",
    description:
      'The program sends a browser to the authorization endpoint of `getIdentityProvider` with a PKCE challenge (RFC 7636), a state and a nonce of its own. It compares the state that comes back, and sends the code here. The daemon redeems the code and verifies the ID token. With `daemonUrl` no other daemon can use the code.',
    group,
    method: 'post',
    path: '/api/auth/login-code',
    auth: [],
    body: LoginWithCodeRequest,
    success: { status: 201, body: LoginResponse },
    errors: identityErrors,
    idempotencyKey: false,
  }),
  startDeviceLogin: defineRoute({
    operationId: 'startDeviceLogin',
    summary: 'Begin a sign-in that is confirmed on another device (RFC 8628).',
    group,
    method: 'post',
    path: '/api/auth/device',
    auth: [],
    success: { status: 201, body: DeviceLogin },
    errors: [
      'identity_provider_not_configured',
      'identity_flow_unsupported',
      'identity_answer_invalid',
      'identity_client_refused',
      'identity_unavailable',
      'rate_limited',
    ],
    idempotencyKey: false,
  }),
  finishDeviceLogin: defineRoute({
    operationId: 'finishDeviceLogin',
    summary: 'Exchange a device code for a user token, once the person has confirmed it.',
    group,
    method: 'post',
    path: '/api/auth/device/login',
    auth: [],
    body: FinishDeviceLoginRequest,
    success: { status: 201, body: LoginResponse },
    errors: [
      ...identityErrors,
      'identity_flow_unsupported',
      'device_login_pending',
      'device_login_slow_down',
      'device_login_denied',
      'device_login_expired',
    ],
    idempotencyKey: false,
  }),
  loginCredentials: defineRoute({
    operationId: 'loginCredentials',
    summary: 'Log in with e-mail and password.',
    group,
    method: 'post',
    path: '/api/auth/login-credentials',
    auth: [],
    body: LoginCredentials,
    success: { status: 201, body: LoginResponse },
    errors: ['login_failed', 'login_code_sent', 'login_code_invalid', 'rate_limited', 'overloaded'],
    idempotencyKey: false,
    judgesOverLimit: true,
  }),
  me: defineRoute({
    operationId: 'getProfile',
    summary: 'Show the profile of the logged-in account.',
    group,
    method: 'get',
    path: '/api/auth/me',
    auth: ['bearer'],
    success: { status: 200, body: UserProfile },
    errors: [],
  }),
  refresh: defineRoute({
    operationId: 'refreshToken',
    summary: 'Exchange the user token for a fresh one.',
    description:
      'A login at an identity provider is renewed for twelve hours. Afterwards the person signs in there again.',
    group,
    method: 'post',
    path: '/api/auth/refresh',
    auth: ['bearer'],
    success: { status: 201, body: LoginResponse },
    errors: ['identity_refused'],
    idempotencyKey: false,
  }),
  logout: defineRoute({
    operationId: 'logout',
    summary: 'Log out: revoke the user token at once and close its streams.',
    group,
    method: 'post',
    path: '/api/auth/logout',
    auth: ['bearer'],
    success: { status: 204 },
    errors: [],
    idempotencyKey: false,
  }),
  changePassword: defineRoute({
    operationId: 'changePassword',
    summary: 'Change your password; every other login of your account ends.',
    group,
    method: 'post',
    path: '/api/auth/password',
    auth: ['bearer'],
    body: ChangePasswordRequest,
    success: { status: 201, body: LoginResponse },
    errors: ['login_failed', 'rate_limited', 'overloaded'],
    idempotencyKey: false,
  }),
  readInvitation: defineRoute({
    operationId: 'readUserInvitation',
    summary: 'Show who invites to which project, and with which role.',
    group,
    method: 'post', // keeps the token out of addresses, which are logged
    path: '/api/auth/invitations/read',
    auth: [],
    body: ReadUserInvitationRequest,
    success: { status: 200, body: UserInvitation },
    errors: ['invitation_token_invalid'],
    idempotencyKey: false,
  }),
  acceptInvitation: defineRoute({
    operationId: 'acceptUserInvitation',
    summary: 'Accept an invitation to a project and log in; creates the account if needed.',
    group,
    method: 'post',
    path: '/api/auth/invitations/accept',
    auth: [],
    body: AcceptUserInvitationRequest,
    success: { status: 201, body: LoginResponse },
    errors: [
      ...['invitation_token_invalid', 'password_required', 'login_failed', 'login_code_sent', 'login_code_invalid'],
      ...['rate_limited', 'overloaded'],
    ] as const,
    idempotencyKey: false,
  }),
};
