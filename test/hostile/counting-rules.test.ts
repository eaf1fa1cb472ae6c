/** A project whose rules count in as many conditions as they may, and then ordinary chat in it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { countingConditionsMax, ruleRoutes } from '../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { openChat } from '../support/chat-room.js';
import { DaemonProcess } from '../support/daemon-process.js';
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
  const { http } = await daemon.start();
  ({ client, params, sessionId } = await openChat(http));
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
