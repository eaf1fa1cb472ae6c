/** Guarantees to a script once `/health/ready` says 200: the start is over, its last steps too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { scale } from '../support/scale.js';

const starts = scale(3, 200);
const pollMs = 3;
const startMaxMs = 60_000;

/** Asks until the daemon answers. */
async function firstAnswer(url: string, accepts: (answer: Response) => boolean): Promise<void> {
  const deadline = Date.now() + startMaxMs;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null && accepts(answer)) return;
    if (Date.now() > deadline) throw new Error(`${url} was not answered in time.`);
    await sleep(pollMs);
  }
}

/** Names of the projects that the administrator sees. */
async function useIt(baseUrl: string): Promise<string[]> {
  const { accessToken: token } = await new EarshotClient({ baseUrl }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const client = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token } });
  return (await client.call(projectRoutes.list, {})).map(({ name }) => name);
}

it(
  `is ready once the first administrator can sign in, in each of ${starts} first starts`,
  async () => {
    for (let start = 1; start <= starts; start += 1) {
      const port = String(await freePort());
      const url = `http://127.0.0.1:${port}`;
      const daemon = new DaemonProcess({ EARSHOT_PORT: port }, { makesTables: true });
      const running = daemon.start();
      try {
        const whenReady = firstAnswer(`${url}/health/ready`, ({ status }) => status === 200).then(() => useIt(url));
        // The port answers before that: whoever asks then waits for an answer, and gets no wrong one.
        const whenAnswering = firstAnswer(`${url}/health/live`, () => true).then(() => useIt(url));
        expect(await Promise.all([whenReady, whenAnswering])).toEqual([['default'], ['default']]);
        await running;
      } finally {
        await daemon.dispose();
      }
    }
  },
  starts * startMaxMs,
);
