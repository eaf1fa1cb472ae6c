/**
 * A route is a value. Request parsing, handler types, the OpenAPI operation, the client call, the CLI's flags and help,
 * the authorisation and the endpoint test come from it, so that nothing is stated twice.
 */
import type { z } from 'zod';
import type { ErrorCode } from './error-catalogue.js';
import type { RequiredScope } from './scopes.js';

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Credential that an operation accepts. `signature` is the HMAC of the ingest endpoint. An empty list means none. */
export type CredentialKind = 'apiKey' | 'bearer' | 'playerToken' | 'roomToken' | 'signature' | 'streamTicket';

/** Roles in a project, each including the ones before it. */
export const projectRoles = ['viewer', 'moderator', 'admin', 'owner'] as const;
export type ProjectRole = (typeof projectRoles)[number];

export const tenantRoles = ['member', 'admin'] as const;
export type TenantRole = (typeof tenantRoles)[number];

export const atLeast = (role: ProjectRole, needed: ProjectRole): boolean =>
  projectRoles.indexOf(role) >= projectRoles.indexOf(needed);

/** Groups of operations: the tags in OpenAPI. */
export type RouteGroup =
  | 'Health and login'
  | 'Sessions and messages'
  | 'Rooms'
  | 'Webhooks'
  | 'Plugins'
  | 'API keys'
  | 'Projects, project users and tokens'
  | 'Project settings'
  | 'Real-time events'
  | 'Sanctions'
  | 'Reviews'
  | 'Reports'
  | 'Blocks'
  | 'Cases'
  | 'Statistics'
  | 'Statements'
  | 'Rules'
  | 'Participants'
  | 'Gatherings'
  | 'Functions settings'
  | 'Gameplay'
  | 'Gameplay configuration'
  | 'Audit log'
  | 'Watching';

interface Success {
  readonly status: 200 | 201 | 202 | 204;
  /** Schema of the body. Absent: an empty answer, or with `contentType` one that the handler writes itself (a stream, a file). */
  readonly body?: z.ZodType;
  readonly contentType?: string;
  /** JSON in the data of each event of a stream of server-sent events. */
  readonly item?: z.ZodType;
}

export interface Route {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: RouteGroup;
  readonly method: HttpMethod;
  /** Absolute, with `{name}` for parameters. */
  readonly path: `/${string}`;
  readonly auth: readonly CredentialKind[];
  /** The scope that an API key must have; `name` also allows `name:read`. null: any key may call. Left out: none may. */
  readonly scope?: RequiredScope | null;
  /** Least role in the project of the call. */
  readonly role?: ProjectRole;
  /** Least role in the tenant; for operations above projects. */
  readonly tenantRole?: TenantRole;
  /** Only for the tenant that the first start has made, which runs the installation. */
  readonly runsInstallation?: true;
  /** Place of the project's id when it is not `{projectId}` in the path. */
  readonly projectIn?: 'body' | 'gameplay';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly success: Success;
  /** Refusals by name, besides those that follow from the fields above. */
  readonly errors: readonly ErrorCode[];
  /** Largest body, where it differs from the usual 256 KiB. */
  readonly bodyLimitBytes?: number;
  /**
   * false: a POST with an Idempotency-Key is refused, because its answer contains a secret and must not be stored for a repeat,
   * or because it changes nothing. `each`: the operation keeps the key with each thing that it stores. Left out: a POST is
   * carried out once under its key.
   */
  readonly idempotencyKey?: false | 'each';
  /** The operation decides itself about a request beyond the limit of its address, for the sake of some that it must look at. */
  readonly judgesOverLimit?: true;
  /** Fields of a row by which a list goes on; left out: `id`. */
  readonly cursor?: readonly string[];
  /** Called so often that the daemon answers plain requests for it by a shorter way. */
  readonly hot?: true;
}

/** States a route, keeping its exact type. */
export const defineRoute = <const R extends Route>(route: R): R => route;

/**
 * True for a list without pages of its own. An answer ends at 2 MiB all the same; each such operation takes the query fields
 * `offset` and `after` besides its own, by which it goes on.
 */
export const isWholeList = ({ method, query, success }: Route): boolean =>
  method === 'get' &&
  success.body?.type === 'array' &&
  !['offset', 'after'].some((name) => name in (query?.shape ?? {}));

type RequestPart<R extends Route, K extends 'params' | 'query' | 'headers' | 'body'> = R[K] extends z.ZodType
  ? z.output<R[K]>
  : undefined;
/** A query is sent as text; callers may pass a number or a flag as such. */
type QueryInput<Q extends z.ZodType> = {
  [F in keyof z.input<Q>]: z.input<Q>[F] | (F extends keyof z.output<Q> ? z.output<Q>[F] : never);
};
type PartInput<R extends Route, K extends 'params' | 'query' | 'headers' | 'body'> = R[K] extends z.ZodType
  ? K extends 'query'
    ? QueryInput<R[K]>
    : z.input<R[K]>
  : undefined;

/** The parsed parts of the request, for a handler. */
export interface Parsed<R extends Route> {
  readonly params: RequestPart<R, 'params'>;
  readonly query: RequestPart<R, 'query'>;
  readonly headers: RequestPart<R, 'headers'>;
  readonly body: RequestPart<R, 'body'>;
}

/** Parts of a call that a client states; parts that the route does not have are absent. */
export type CallInput<R extends Route> = {
  [K in 'params' | 'query' | 'headers' | 'body' as R[K] extends z.ZodType
    ? undefined extends PartInput<R, K>
      ? never
      : Record<never, never> extends PartInput<R, K>
        ? never
        : K
    : never]: PartInput<R, K>;
} & {
  [K in 'params' | 'query' | 'headers' | 'body' as R[K] extends z.ZodType
    ? undefined extends PartInput<R, K>
      ? K
      : Record<never, never> extends PartInput<R, K>
        ? K
        : never
    : never]?: PartInput<R, K>;
};

/** The body of the success answer; undefined where there is none. */
export type Result<R extends Route> = R['success']['body'] extends z.ZodType
  ? z.output<R['success']['body']>
  : undefined;
