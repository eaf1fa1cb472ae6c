/**
 * Sends events on to a program under development, as a webhook of the daemon would: the same bytes, signed in the same
 * way.
 */
import { EventPattern, webhookHears } from '../../contract/events.js';
import { deliveryHeaders } from '../../signing/signing.js';
import { styled } from '../../terminal/terminal.js';
import { UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';

const timeoutMs = 15_000;
const snippetLength = 200;

export interface ForwardTarget {
  /** Empty: every type. */
  readonly types: readonly string[];
  readonly url: string;
}

interface ForwardedAnswer {
  readonly url: string;
  /** null: there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  /** The beginning of the answer. */
  readonly body: string;
}

/**
 * Parses `http://127.0.0.1:3000/hook` or `sanction.*,message.created=http://127.0.0.1:3000/moderation`. Throws UsageError.
 */
export function parseTarget(text: string): ForwardTarget {
  const [, list = '', url = ''] = /^(?:([a-z0-9_.,*-]+)=)?(https?:\/\/.+)$/s.exec(text) ?? [];
  const types = list === '' ? [] : list.split(',');
  if (!URL.canParse(url) || !types.every((type) => EventPattern.safeParse(type).success))
    throw new UsageError(`"${text}" is not an address; write http://127.0.0.1:3000/hook or sanction.*=http://…`);
  return { types, url };
}

/** Chosen as by a webhook with these types. */
export const isMeant = ({ types }: ForwardTarget, type: string): boolean =>
  webhookHears(types.length === 0 ? ['*'] : types, type);

/** The secret that receivers check signatures with, from the environment. */
export const givenSecret = (): string | undefined => process.env.EARSHOT_WEBHOOK_SECRET;

/** @param body the envelope as it came, or its data alone for receivers that are configured so */
export async function forward(url: string, secret: string, eventId: string, body: string): Promise<ForwardedAnswer> {
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  const headers = {
    ...deliveryHeaders(secret, eventId, body, new Date()),
    'Content-Type': 'application/json',
    'User-Agent': 'earshot',
  };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const answered = (await response.text()).slice(0, snippetLength);
    return { url, status: response.status, durationMs: since(), error: null, body: answered };
  } catch (error) {
    return { url, status: null, durationMs: since(), error: reasonOf(error), body: '' };
  }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** One line for a terminal: where it was sent and what was answered. */
export function answerLine({ url, status, durationMs, error, body }: ForwardedAnswer): string {
  const isDelivered = status !== null && status >= 200 && status < 300;
  const answered = `${status ?? error ?? ''}`;
  const said = body === '' ? '' : `  ${harmless(body)}`;
  return `  ${styled(isDelivered ? 'green' : 'red', `→ ${url}  ${answered}`)}  ${durationMs} ms${said}`;
}
