/** Lists read by cursor, page after page. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { pageLimitMax } from '../../contract/common.js';

/** The part of a list that is asked for: after a cursor, which rows that come and go do not move. */
export interface ListStep {
  readonly limit?: number;
  readonly after?: string;
}

/** Rows that come and go in between make no other row come twice or not at all. */
export async function* rowPages<Answer extends object, Row>(
  client: Pick<EarshotClient, 'nextOf'>,
  fetch: (page: ListStep) => Promise<Answer>,
  rows: (answer: Answer) => readonly Row[],
): AsyncGenerator<readonly Row[], void> {
  for (let after: string | null | undefined; after !== null; ) {
    const answer = await fetch(after === undefined ? { limit: pageLimitMax } : { limit: pageLimitMax, after });
    yield rows(answer);
    after = client.nextOf(answer);
  }
}
