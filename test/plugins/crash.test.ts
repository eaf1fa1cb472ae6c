/** A daemon that is killed again and again runs every plugin on every message, and stores what it says once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 10);
const messagesPerRound = scale(40, 200);
const patienceMs = scale(60_000, 300_000);

let daemon: DaemonProcess;
beforeEach(() => {
  daemon = new DaemonProcess();
});
afterEach(() => daemon.dispose());

describe('kill -9 while plugins run', () => {
  it('leaves each effect once', { timeout: 2 * patienceMs }, async () => {
    await daemon.start();
    const login = { body: administrator };
    const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
      accountRoutes.loginCredentials,
      login,
    );
    const client = () => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [project] = await client().call(projectRoutes.list, {});
    const params = { projectId: project?.id ?? '' };
    for (const pluginId of ['sentiment', 'toxicity'])
      await client().call(pluginInstanceRoutes.create, { params, body: { pluginId } });
    const { id } = await client().call(sessionRoutes.create, {
      params,
      body: { title: 'Crash', externalRoomId: 'crash', autoStart: false },
    });

    const said: string[] = [];
    const say = async (): Promise<void> => {
      for (;;) {
        const body = { externalUserId: 'u1', content: 'you are a terrible idiot' };
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

    await eventually(async () => {
      const found = await client().call(annotationRoutes.ofMessages, { body: { messageIds: said.slice(0, 1_000) } });
      const kinds = said.slice(0, 1_000).map((one) => (found[one] ?? []).map(({ type }) => type).sort());
      expect(kinds.filter((types) => types.join() !== 'sentiment,toxicity')).toEqual([]);
    }, patienceMs);
  });
});
