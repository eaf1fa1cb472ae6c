/** A daemon that is killed again and again while somebody talks in a session of it. */
import { expect } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, type DaemonProcess } from './daemon-process.js';
import { eventually } from './eventually.js';

export interface Talk {
  readonly rounds: number;
  readonly messagesPerRound: number;
  readonly content: string;
  readonly patienceMs: number;
}

/** A daemon that has just started, as its administrator sees it; `client` is made anew, because the address changes. */
export async function administered(daemon: DaemonProcess) {
  await daemon.start();
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const client = () => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  const [project] = await client().call(projectRoutes.list, {});
  return { client, params: { projectId: project?.id ?? '' } };
}

/** `u1` says the same again and again, and the daemon is killed in each round. Returns the ids of what was acknowledged. */
export async function killedWhileTalking(
  daemon: DaemonProcess,
  { client, params }: Awaited<ReturnType<typeof administered>>,
  { rounds, messagesPerRound, content, patienceMs }: Talk,
): Promise<string[]> {
  const { id } = await client().call(sessionRoutes.create, {
    params,
    body: { title: 'Crash', externalRoomId: 'crash', autoStart: false },
  });
  const said: string[] = [];
  const say = async (): Promise<void> => {
    for (;;) {
      const body = { externalUserId: 'u1', content };
      said.push((await client().call(sessionRoutes.say, { params: { ...params, id }, body })).id);
    }
  };
  for (let round = 1; round <= rounds; round += 1) {
    const load = [say(), say()].map((one) => one.catch(() => {}));
    await eventually(() => expect(said.length).toBeGreaterThanOrEqual(round * messagesPerRound), patienceMs);
    await daemon.end('SIGKILL');
    await Promise.all(load);
    await daemon.start();
  }
  return said;
}
