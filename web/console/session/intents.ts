/**
 * Gives each change of the console its Idempotency-Key: the same one while its outcome is unknown, so that whoever sends the
 * same again after a lost answer does it once.
 */
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { MayBeDone } from '../../../src/client/errors.js';
import { newIdempotencyKey } from '../../../src/client/idempotency-key.js';
import { pathOf } from '../../../src/client/path.js';
import type { Transport } from '../../../src/client/transport.js';
import type { CallInput, Result, Route } from '../../../src/contract/route.js';

/** Whoever sends the same later than this means it anew. */
const unknownMs = 600_000;

interface LostIntent {
  readonly key: string;
  readonly until: number;
}

const intentOf = (path: string, body: unknown): string => `${path} ${JSON.stringify(body)}`;

export class IntentClient extends EarshotClient {
  private readonly ongoing: Map<string, Promise<unknown>>;
  private readonly lost: Map<string, LostIntent>;

  constructor(options: { readonly baseUrl: string; readonly transport: Transport }) {
    const lost = new Map<string, LostIntent>();
    const idempotencyKeyFor = (path: string, body: unknown) => {
      const known = lost.get(intentOf(path, body));
      return known !== undefined && known.until > performance.now() ? known.key : newIdempotencyKey();
    };
    super({ ...options, idempotencyKeyFor });
    this.ongoing = new Map();
    this.lost = lost;
  }

  /** As in EarshotClient. A change that is being sent already, word for word, is not sent a second time. */
  override call<R extends Route>(route: R, input: CallInput<R>): Promise<Result<R>> {
    if (route.method === 'get') return super.call(route, input);
    const { params, body }: { readonly params?: Readonly<Record<string, unknown>>; readonly body?: unknown } = input;
    const intent = intentOf(pathOf(route.path, params), body);
    const one = `${route.method} ${JSON.stringify(input)} ${intent}`;
    const before = this.ongoing.get(one) as Promise<Result<R>> | undefined;
    if (before !== undefined) return before;
    const sent = super
      .call(route, input)
      .then(
        (result) => {
          this.lost.delete(intent);
          return result;
        },
        (error: unknown) => {
          if (!(error instanceof MayBeDone)) this.lost.delete(intent);
          else if (error.idempotencyKey !== null)
            this.lost.set(intent, { key: error.idempotencyKey, until: performance.now() + unknownMs });
          throw error;
        },
      )
      .finally(() => this.ongoing.delete(one));
    this.ongoing.set(one, sent);
    return sent;
  }
}
