/** Calls to services that speak as OpenAI's API does. */
import { z } from 'zod';
import { maySucceedLater, type Outbound } from '../../../platform/outbound/outbound.js';
import { TryAgain, unanswered } from '../plugin.js';

export type Caller = Pick<Outbound, 'request'>;

const answerBytesMax = 256 * 1024;

interface ModelCall {
  /** Such as https://api.example/v1 */
  readonly baseUrl: string;
  readonly path: string;
  readonly apiKey: string | undefined;
  /** The same at every attempt. */
  readonly id: string;
  readonly body: unknown;
}

/** Throws TryAgain where it may work later, and an error with what the service answered. */
export async function callModel<T extends z.ZodType>(
  outbound: Caller,
  { baseUrl, path, apiKey, id, body }: ModelCall,
  answer: T,
): Promise<z.output<T>> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'earshot',
    'Idempotency-Key': id,
    ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
  };
  const url = `${baseUrl.replace(/\/+$/, '')}${path}`;
  const sending = { method: 'POST', headers, body: JSON.stringify(body) };
  const got = await outbound.request(url, sending, answerBytesMax).catch(unanswered);
  if (got.status !== 200) {
    const text = `the service answered ${got.status}: ${got.body.slice(0, 200)}`;
    throw maySucceedLater(got.status) ? new TryAgain(text) : new Error(text);
  }
  try {
    return answer.parse(JSON.parse(got.body));
  } catch {
    throw new Error(`the service answered something else: ${got.body.slice(0, 200)}`);
  }
}

/** The settings that every such plugin has. */
export const modelSettings = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe('Address of the service, such as https://api.openai.com/v1'),
  apiKey: z.string().min(1).max(500).optional().meta({ writeOnly: true }).describe('Its key'),
};
