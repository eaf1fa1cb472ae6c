/** A daemon that is killed again and again imposes what a rule says once for each message. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 10);
const messagesPerRound = scale(30, 100);
const patienceMs = scale(60_000, 300_000);

let daemon: DaemonProcess;
beforeEach(() => {
  daemon = new DaemonProcess();
});
afterEach(() => daemon.dispose());

describe('kill -9 while rules judge', () => {
  it('leaves one decision and one sanction for each message', { timeout: 2 * patienceMs }, async () => {
    await daemon.start();
    const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
      accountRoutes.loginCredentials,
      { body: administrator },
    );
    const client = () => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [project] = await client().call(projectRoutes.list, {});
    const params = { projectId: project?.id ?? '' };
    const definition = {
      ...{ format: 1 as const, mode: 'enforce' as const, when: { all: [{ words: { any: ['frog'] } }] } },
      steps: [[{ sanction: { type: 'warn' as const } }]],
    };
    const { id: ruleId } = await client().call(ruleRoutes.create, {
      params,
      body: { name: 'frogs', sanctionsPerHourMax: 10_000, definition },
    });
    const { id } = await client().call(sessionRoutes.create, {
      params,
      body: { title: 'Crash', externalRoomId: 'crash', autoStart: false },
    });

    const said: string[] = [];
    const say = async (): Promise<void> => {
      for (;;) {
        const body = { externalUserId: 'u1', content: 'a frog' };
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
      const query = { ruleId, limit: 1, offset: 0 };
      const { total } = await client().call(ruleDecisionRoutes.list, { params, query });
      const sanctions = await client().call(sanctionRoutes.ofUser, { params: { ...params, externalUserId: 'u1' } });
      const named = sanctions.flatMap(({ evidence }) => evidence?.messageIds ?? []);
      expect(new Set(named).size).toBe(named.length);
      expect(said.filter((one) => !named.includes(one))).toEqual([]);
      expect(total).toBe(named.length);
    }, patienceMs);
  });
});
