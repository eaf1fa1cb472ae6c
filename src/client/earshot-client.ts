/** Calls the daemon by the contract: a route and its input in, its result out. Refusals come as ApiError. */
import type { ErrorDetail } from '../contract/errors.js';
import type { CallInput, Result, Route } from '../contract/route.js';

export type Credential =
  | { readonly kind: 'apiKey'; readonly key: string }
  | { readonly kind: 'bearer'; readonly token: string };

export interface ClientOptions {
  /** Such as http://127.0.0.1:8080 */
  readonly baseUrl: string;
  readonly credential?: Credential;
  /** Longest wait for an answer. */
  readonly timeoutMs?: number;
}

const timeoutMsDefault = 30_000;

/** The daemon refused; `message` says what to do. */
export class ApiError extends Error {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly details: readonly ErrorDetail[],
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

/** Nothing answered at the address, or not in time. */
export class DaemonUnreachable extends Error {
  override name = 'DaemonUnreachable';
  constructor(
    readonly baseUrl: string,
    cause: unknown,
  ) {
    super(`No daemon answers at ${baseUrl}. Start one with \`npm start\`, or name another address with EARSHOT_URL.`, {
      cause,
    });
  }
}

export const credentialHeaders = (credential: Credential | undefined): Record<string, string> => {
  if (credential === undefined) return {};
  return credential.kind === 'apiKey'
    ? { 'X-API-Key': credential.key }
    : { Authorization: `Bearer ${credential.token}` };
};

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const pathOf = (template: string, params: Readonly<Record<string, unknown>> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));

function urlOf(baseUrl: string, route: Route, { params, query = {} }: Parts): URL {
  const url = new URL(baseUrl.replace(/\/$/, '') + pathOf(route.path, params));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

export class EarshotClient {
  readonly baseUrl: string;

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = options.baseUrl;
  }

  get credential(): Credential | undefined {
    return this.options.credential;
  }

  /** Throws ApiError, DaemonUnreachable. */
  async call<R extends Route>(route: R, input: CallInput<R>): Promise<Result<R>> {
    const response = await this.send(route, input);
    const text = await response.text().catch((cause: unknown) => {
      throw new DaemonUnreachable(this.baseUrl, cause); // it went away in the middle of its answer
    });
    if (!response.ok) throw toApiError(response, text);
    return (text === '' ? undefined : JSON.parse(text)) as Result<R>;
  }

  /** For routes whose answer is not JSON: the answer itself, once it is known to be a success. */
  async fetch<R extends Route>(route: R, input: CallInput<R>): Promise<Response> {
    const response = await this.send(route, input);
    if (!response.ok) throw toApiError(response, await response.text());
    return response;
  }

  /** For streams: the answer as it begins; only the signal ends it. Throws ApiError, DaemonUnreachable. */
  async open<R extends Route>(route: R, input: CallInput<R>, signal: AbortSignal): Promise<Response> {
    const response = await this.send(route, input, signal);
    if (!response.ok) throw toApiError(response, await response.text());
    return response;
  }

  private async send(
    route: Route,
    { body, headers = {}, ...rest }: Parts,
    signal = AbortSignal.timeout(this.options.timeoutMs ?? timeoutMsDefault),
  ): Promise<Response> {
    const { baseUrl, credential } = this.options;
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    try {
      return await fetch(urlOf(baseUrl, route, rest), {
        method: route.method.toUpperCase(),
        headers: {
          ...credentialHeaders(credential),
          ...own,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      });
    } catch (cause) {
      throw new DaemonUnreachable(baseUrl, cause);
    }
  }
}

/** What is known of a refusal; something between us and the daemon may have answered instead. */
export function toApiError(response: Response, text: string): ApiError {
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = { ...parsed };
  } catch {
    body = { message: `${response.status} ${response.statusText}` };
  }
  const field = (name: string): string | null => (typeof body[name] === 'string' ? body[name] : null);
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError(
    response.status,
    field('code') ?? 'unknown',
    field('message') ?? `${response.status} ${response.statusText}`,
    field('requestId') ?? response.headers.get('x-request-id'),
    Array.isArray(body.details) ? body.details : [],
    retryAfter > 0 ? retryAfter : null,
  );
}
