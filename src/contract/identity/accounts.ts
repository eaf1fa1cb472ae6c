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
  .object({ sessionId: z.string().min(1).max(4096).describe("The identity provider's session id or access token") })
  .meta({ id: 'LoginRequest' });

export const loginCodeLength = 8;
export const LoginCredentials = z
  .object({
    email: Email,
    password: z.string().min(1).max(200),
    code: z
      .string()
      .regex(new RegExp(`^\\d{${loginCodeLength}}$`), `write the ${loginCodeLength} digits of the code`)
      .optional()
      .describe('From the email that `login_code_sent` speaks of'),
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
    errors: [
      'identity_provider_not_configured',
      'identity_refused',
      'identity_answer_invalid',
      'identity_email_unverified',
      'identity_unknown_user',
      'identity_unavailable',
      'rate_limited',
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
    group,
    method: 'post',
    path: '/api/auth/refresh',
    auth: ['bearer'],
    success: { status: 201, body: LoginResponse },
    errors: [],
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
    errors: ['invitation_token_invalid', 'password_required', 'login_failed', 'rate_limited', 'overloaded'],
    idempotencyKey: false,
  }),
};
