/** Calls of one run to the outside: through the guard of outbound calls, few, small, and each with an id of its own. */
import { BlockedAddress, maySucceedLater, type Outbound } from '../../../platform/outbound/outbound.js';
import { fetchAnswerBytes, fetchBodyMax, fetchesMax } from './limits.js';
import { FetchRequest } from './protocol.js';

/** Set by the daemon, or about the connection. */
const ownHeaders = /^(host|content-length|connection|transfer-encoding|upgrade|te|trailer|expect|idempotency-key)$/i;

export class Fetches {
  private calls = 0;
  /** A call got no answer, or 408, 429 or 5xx: the run may succeed when it is tried again. */
  hasFailed = false;

  constructor(
    private readonly outbound: Pick<Outbound, 'request'>,
    private readonly actionId: string,
    /** Time limit of each call. */
    private readonly timeoutMs: number,
  ) {}

  /** JSON of the request → JSON of the answer, or of the error. */
  answer = async (request: string): Promise<string> => {
    this.calls += 1;
    const call = this.calls;
    try {
      if (call > fetchesMax) throw new Error(`a run may call fetch ${fetchesMax} times`);
      const { status, body } = await this.make(FetchRequest.parse(JSON.parse(request)), call);
      return JSON.stringify({ status, body });
    } catch (error) {
      return JSON.stringify({ error: error instanceof Error ? `fetch: ${error.message}` : 'fetch failed' });
    }
  };

  private async make({ url, method, headers, body }: FetchRequest, call: number) {
    if ((body?.length ?? 0) > fetchBodyMax) throw new Error(`a body has up to ${fetchBodyMax} characters`);
    const own = { 'Idempotency-Key': `${this.actionId}-${call}` };
    const allowed = Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name)));
    try {
      const options = { method, headers: { ...allowed, ...own }, body };
      const answer = await this.outbound.request(url, options, {
        maxBytes: fetchAnswerBytes,
        timeoutMs: this.timeoutMs,
      });
      if (maySucceedLater(answer.status)) this.hasFailed = true;
      return answer;
    } catch (error) {
      if (!(error instanceof BlockedAddress)) this.hasFailed = true;
      throw error;
    }
  }
}
