/** A daemon that is killed again and again runs every plugin on every message, and stores what it says once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseMs } from '../../daemon/modules/plugins/host/limits.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { onPostgresql } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { administered, killedWhileTalking } from '../support/killed-while-talking.js';
import { scale } from '../support/scale.js';

const rounds = scale(2, 10);
const messagesPerRound = scale(20, 200);
/** On PostgreSQL another daemon might still run what the killed one had begun, so its leases run out first. */
const patienceMs = scale(60_000, 300_000) + (onPostgresql ? 2 * leaseMs : 0);

let daemon: DaemonProcess;
beforeEach(() => {
  daemon = new DaemonProcess();
});
afterEach(() => daemon.dispose());

describe('kill -9 while plugins run', () => {
  it('leaves each effect once', { timeout: 2 * patienceMs }, async () => {
    const { client, params } = await administered(daemon);
    for (const pluginId of ['sentiment', 'toxicity'])
      await client().call(pluginInstanceRoutes.create, { params, body: { pluginId } });

    const talk = { rounds, messagesPerRound, content: 'you are a terrible idiot', patienceMs };
    const said = await killedWhileTalking(daemon, { client, params }, talk);

    await eventually(async () => {
      const found = await client().call(annotationRoutes.ofMessages, { body: { messageIds: said.slice(0, 1_000) } });
      const kinds = said.slice(0, 1_000).map((one) => (found[one] ?? []).map(({ type }) => type).sort());
      expect(kinds.filter((types) => types.join() !== 'sentiment,toxicity')).toEqual([]);
    }, patienceMs);
  });
});
