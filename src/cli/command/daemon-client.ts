/** The client of commands. They end after a call or two, so they are spared what `fetch` takes to load. */
import { type Credential, EarshotClient } from '../../client/earshot-client.js';
import { byHttp } from '../../client/http-transport.js';
import { newIdempotencyKey } from '../../client/idempotency-key.js';
import { versionHeader } from '../../names/version.js';
import { printError } from '../../terminal/terminal.js';
import { learnTime } from '../typed/daemon-clock.js';
import { learnVersion } from './daemon-version.js';

/** DEBUG as the framework of the commands reads it: a list of names, with * for all. */
const isDebugged = (names: string | undefined): boolean => /(^|[\s,])(\*|earshot\b.*)/.test(names ?? '');

export const daemonClient = (
  baseUrl: string,
  credential: Credential | null = null,
  keys = idempotencyKeysOfRun(),
  beforeChange = () => {},
): EarshotClient =>
  new EarshotClient({
    baseUrl,
    transport: async (url, request) => {
      if (request.method !== 'GET') beforeChange();
      const answer = await byHttp(url, request);
      learnTime(answer.headers.get('Date'));
      learnVersion(answer.headers.get(versionHeader));
      return answer;
    },
    idempotencyKeyFor: keys.keyFor,
    ...(credential === null ? {} : { credential }),
    ...(isDebugged(process.env.DEBUG) ? { debug: printError } : {}),
  });

/** Names the environment variable with the key of a run, by which a run is repeated without a second effect. */
export const idempotencyVariable = 'EARSHOT_IDEMPOTENCY_KEY';

interface RunKeys {
  /** Key of the run itself. */
  readonly run: string;
  /** Returns the key of the next change that is sent to the path. */
  readonly keyFor: (path: string) => string;
}

/**
 * Makes the keys of a run: the first change that is sent to a path has the key of the run itself, others a number after it. So
 * a command that is run again with this key sends the same keys again.
 */
export function idempotencyKeysOfRun(): RunKeys {
  const run = process.env[idempotencyVariable]?.trim() || newIdempotencyKey();
  const counts = new Map<string, number>();
  const keyFor = (path: string): string => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    return count === 1 ? run : `${run}.${count}`;
  };
  return { run, keyFor };
}
