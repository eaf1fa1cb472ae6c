/**
 * The provider `http`: a hosting API at the address that a project configured, through the outbound guard. Its calls are
 * documented in docs/functions.md. Whatever it answers becomes a value of the expected shape, or a HostingFailure.
 */

import { z } from 'zod';
import { Location, ResourcePackage } from '../../../src/contract/functions/functions.js';
import { judge, problemLines } from '../../../src/contract/judge.js';
import { harmless } from '../../../src/text/printable.js';
import { maySucceedLater, type OutboundAnswer } from '../../platform/outbound/outbound.js';
import { withoutAny } from '../../platform/text/without-any.js';

export interface Hosting {
  readonly address: string;
  readonly token: string;
  /** Never repeated, should the hosting API do so. */
  readonly secrets: readonly string[];
}

export interface Activation {
  readonly resourcePackageId: string;
  readonly locationId: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * `credentials`: it refused the credentials. `refused`: it refused what was asked. `unavailable`: no answer, or none that
 * makes sense, so that nobody knows what it has done.
 */
type FailureKind = 'credentials' | 'refused' | 'unavailable';

export class HostingFailure extends Error {
  override name = 'HostingFailure';
  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
  }
}

interface HostingTransport {
  request(
    address: string,
    sending: { method: string; headers: Record<string, string>; body: string | null },
    limits: { maxBytes: number; timeoutMs: number },
  ): Promise<OutboundAnswer>;
}

const callLimits = { maxBytes: 256 * 1024, timeoutMs: 15_000 };
const listMax = 500;
const saidCharactersMax = 300;

const Account = z.object({ name: z.string().max(200) });
const Activated = z.object({ projectId: z.string(), status: z.literal('active') });
const Refusal = z.object({ message: z.string() });

export class HostingApi {
  constructor(private readonly outbound: HostingTransport) {}

  /** Name of the account that the credentials belong to. */
  async account(at: Hosting): Promise<string> {
    return said((await this.ask(at, 'GET', '/account', Account)).name, at);
  }

  resourcePackages = (at: Hosting): Promise<ResourcePackage[]> =>
    this.ask(at, 'GET', '/resource-packages', z.array(ResourcePackage).max(listMax));

  locations = (at: Hosting): Promise<Location[]> => this.ask(at, 'GET', '/locations', z.array(Location).max(listMax));

  /** Safe to repeat. Returns when the functions run with these settings. */
  async activate(at: Hosting, projectId: string, activation: Activation): Promise<void> {
    const answer = await this.ask(at, 'PUT', pathOf(projectId), Activated, activation);
    if (answer.projectId !== projectId)
      throw new HostingFailure('unavailable', 'The hosting API answered about another project.');
  }

  /** Safe to repeat: what does not run is deactivated. */
  async deactivate(at: Hosting, projectId: string): Promise<void> {
    const answer = await this.call(at, 'DELETE', pathOf(projectId));
    if (answer.status !== 404) refuseFailure(answer, at);
  }

  private async ask<T>(at: Hosting, method: string, path: string, shape: z.ZodType<T>, body?: object): Promise<T> {
    const answer = await this.call(at, method, path, body);
    refuseFailure(answer, at);
    const judged = judge(shape, parsed(answer.body));
    if (judged.success) return judged.data;
    const [problem] = problemLines(judged.problems, 'the answer');
    throw new HostingFailure(
      'unavailable',
      `The hosting API's answer to ${method} ${path} is not what docs/functions.md describes: ${problem}.`,
    );
  }

  private async call(at: Hosting, method: string, path: string, body?: object): Promise<OutboundAnswer> {
    const headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${at.token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const sending = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    try {
      return await this.outbound.request(`${at.address.replace(/\/+$/, '')}${path}`, sending, callLimits);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'the connection failed';
      throw new HostingFailure('unavailable', `The hosting API cannot be reached: ${said(reason, at)}`);
    }
  }
}

const pathOf = (projectId: string): string => `/activations/${encodeURIComponent(projectId)}`;

function refuseFailure(answer: OutboundAnswer, at: Hosting): void {
  const { status } = answer;
  if (status >= 200 && status < 300) return;
  const message = Refusal.safeParse(parsed(answer.body)).data?.message;
  const why = message === undefined ? '' : `: ${said(message, at)}`;
  if (status === 401 || status === 403)
    throw new HostingFailure('credentials', `The hosting API refused the credentials (${status})${why}`);
  const isRefusal = status >= 400 && !maySucceedLater(status);
  if (isRefusal) throw new HostingFailure('refused', `The hosting API refused (${status})${why}`);
  throw new HostingFailure('unavailable', `The hosting API answered ${status}${why}`);
}

/** Text that the hosting API sent, made safe to show: short, one line, and without secrets that it repeats. */
function said(text: string, { secrets }: Hosting): string {
  const open = withoutAny(text, secrets, '***');
  return harmless(open.slice(0, saidCharactersMax).toWellFormed());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
