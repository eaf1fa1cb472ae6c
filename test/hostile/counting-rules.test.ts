/** A project whose rules count in as many conditions as they may, and then ordinary chat in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { countingConditionsMax, ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const countsPerRule = 8;
const rules = Math.floor(countingConditionsMax / countsPerRule);
const messages = scale(10, 200);
/** Ten messages a second. */
const pauseMs = 100;
const pollMs = 500;

const daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0' }, rentedMachine);
let client: EarshotClient;
let params: { projectId: string };
let sessionId: string;
beforeAll(async () => {
  const { http: baseUrl } = await daemon.start();
  const { accessToken: token } = await new EarshotClient({ baseUrl }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const admin = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token } });
  params = { projectId: (await admin.call(projectRoutes.list, {}))[0]?.id ?? '' };
  const scopes = ['plugins' as const, 'sessions' as const, 'messages' as const];
  const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'chat', scopes, ...params } });
  client = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
  const body = { title: 'Chat', externalRoomId: 'chat', autoStart: false };
  sessionId = (await client.call(sessionRoutes.create, { params, body })).id;
}, 60_000);
afterAll(() => daemon.dispose());

const create = (name: string) => {
  const all = Array.from({ length: countsPerRule }, (_, n) => ({
    count: { of: { words: { any: ['a', `b${n}`] } }, by: 'room' as const, within: 3_600 + n, atLeast: 1_000 },
  }));
  const definition = { format: 1 as const, when: { all }, steps: [[{ webhook: {} }]] };
  return client.call(ruleRoutes.create, { params, body: { name, definition } });
};

it('counts ordinary chat in as many conditions as there may be while a neighbour writes', {
  timeout: 400_000,
}, async () => {
  for (let rule = 0; rule < rules; rule += 1) await create(`rule ${rule}`);
  await expect(create('one too many')).rejects.toMatchObject({ status: 409, code: 'rule_limit' });
  const title = `${messages} messages counted by ${rules * countsPerRule} conditions`;
  await watchingHealth(daemon, title, async () => {
    for (let said = 0; said < messages; said += 1) {
      const body = { externalUserId: `u${said % 10}`, content: `a word ${said}` };
      await client.call(sessionRoutes.say, { params: { ...params, id: sessionId }, body });
      await sleep(pauseMs);
    }
    // Seldom: counting many decisions is work, too.
    for (let total = 0; total < messages * rules; await sleep(pollMs))
      ({ total } = await client.call(ruleDecisionRoutes.list, { params, query: { limit: 1 } }));
  });
});
