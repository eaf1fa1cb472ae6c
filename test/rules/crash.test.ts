/** A daemon that is killed again and again imposes what a rule says once for each message. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { ruleDecisionRoutes } from '../../src/contract/rules/rule-decisions.js';
import { ruleRoutes } from '../../src/contract/rules/rules.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { administered, killedWhileTalking } from '../support/killed-while-talking.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 10);
const messagesPerRound = scale(20, 100);
const patienceMs = scale(60_000, 300_000);

let daemon: DaemonProcess;
beforeEach(() => {
  daemon = new DaemonProcess();
});
afterEach(() => daemon.dispose());

describe('kill -9 while rules judge', () => {
  it('leaves one decision and one sanction for each message', { timeout: 2 * patienceMs }, async () => {
    const { client, params } = await administered(daemon);
    const definition = {
      ...{ format: 1 as const, mode: 'enforce' as const, when: { all: [{ words: { any: ['frog'] } }] } },
      steps: [[{ sanction: { type: 'warn' as const } }]],
    };
    const { id: ruleId } = await client().call(ruleRoutes.create, {
      params,
      body: { name: 'frogs', sanctionsPerHourMax: 10_000, definition },
    });

    const talk = { rounds, messagesPerRound, content: 'a frog', patienceMs };
    const said = await killedWhileTalking(daemon, { client, params }, talk);

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
