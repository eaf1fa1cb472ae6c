/** Calls to services that speak as OpenAI's API does. */
import { z } from 'zod';
import { mayHaveArrived, maySucceedLater, type Outbound } from '../../../platform/outbound/outbound.js';
import { answerMs } from '../host/limits.js';
import { TryAgain, unanswered } from '../plugin.js';

export type ModelTransport = Pick<Outbound, 'request'>;

const callLimits = { maxBytes: 256 * 1024, timeoutMs: answerMs };

interface ModelCall {
  /** Such as https://api.example/v1 */
  readonly baseUrl: string;
  readonly path: string;
  readonly apiKey?: string | undefined;
  readonly repeatUnanswered: boolean;
  /** Idempotency key, the same at every attempt. */
  readonly id: string;
  readonly body: unknown;
}

/** Throws TryAgain where it may work later, and an error with what the service answered. */
export async function callModel<T extends z.ZodType>(
  outbound: ModelTransport,
  { baseUrl, path, apiKey, repeatUnanswered, id, body }: ModelCall,
  answer: T,
): Promise<z.output<T>> {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': id,
    ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
  };
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
  const sending = { method: 'POST', headers, body: JSON.stringify(body), isRepeatable: repeatUnanswered };
  const got = await outbound.request(url, sending, callLimits).catch((error: unknown) => {
    if (repeatUnanswered || !mayHaveArrived(error)) return unanswered(error);
    const reason = error instanceof Error ? error.message : 'no answer';
    throw new Error(`${reason}; not retried, because the service may charge for it: set repeatUnanswered to retry`);
  });
  if (got.status !== 200) {
    const text = `the service answered ${got.status}: ${got.body.slice(0, 200)}`;
    throw maySucceedLater(got.status) ? new TryAgain(text) : new Error(text);
  }
  try {
    return answer.parse(JSON.parse(got.body));
  } catch {
    throw new Error(`the service gave an unexpected answer: ${got.body.slice(0, 200)}`);
  }
}

/** The settings that every such plugin has. */
export const modelSettings = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe('Address of the service, such as https://api.openai.com/v1'),
  apiKey: z.string().min(1).max(500).optional().meta({ writeOnly: true }).describe('Its key'),
  repeatUnanswered: z
    .boolean()
    .default(false)
    .describe('Retry when no answer came in time; the service may charge for each call'),
};
