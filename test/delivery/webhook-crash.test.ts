/** A daemon that is killed again and again delivers every event: at least once, under one id, signed. */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../../src/client/api-client.js';
import { accountRoutes } from '../../src/contract/accounts.js';
import { DomainEvent } from '../../src/contract/events.js';
import { projectRoutes } from '../../src/contract/projects.js';
import { sessionRoutes } from '../../src/contract/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { scale } from '../support/scale.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const wanted = scale(300, 100_000);
const rounds = scale(3, 50);
const perRound = Math.ceil(wanted / rounds);
const senders = 16;
const patienceMs = scale(300_000, 3_600_000);

let daemon: DaemonProcess;
let receiver: Receiver;
beforeEach(async () => {
  daemon = new DaemonProcess({ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
  receiver = await startReceiver();
});
afterEach(async () => {
  await daemon.dispose();
  await receiver.stop();
});

describe('kill -9 while webhooks are delivered', () => {
  it('loses no event and sends repetitions under the same id', { timeout: patienceMs }, async () => {
    await daemon.start();
    const { accessToken: token } = await new ApiClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
      body: administrator,
    });
    const client = () => new ApiClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [project] = await client().call(projectRoutes.list, {});
    const params = { projectId: project?.id ?? '' };
    await client().call(webhookRoutes.create, {
      params,
      body: { url: receiver.url, secret, events: ['message.created'] },
    });
    const { id } = await client().call(sessionRoutes.create, {
      params,
      body: { title: 'Crash', externalRoomId: 'crash', autoStart: false },
    });

    const verifier = new Webhook(secret);
    /** Message → event: what arrived, each delivery verified when it is first looked at. */
    const arrived = new Map<string, string>();
    const bodies = new Map<string, string>();
    let looked = 0;
    const look = () => {
      for (const { headers, body } of receiver.received.slice(looked)) {
        const event = DomainEvent.parse(verifier.verify(body, headers));
        const message = JSON.parse(body).payload.data.id;
        expect(headers['webhook-id']).toBe(event.id);
        expect(arrived.get(message) ?? event.id).toBe(event.id);
        expect(bodies.get(event.id) ?? body).toBe(body);
        arrived.set(message, event.id);
        bodies.set(event.id, body);
      }
      looked = receiver.received.length;
    };
    const acknowledged = new Set<string>();
    let sent = 0;
    const say = async () => {
      for (;;) {
        sent += 1;
        const body = { externalUserId: 'u1', content: `message ${sent}` };
        acknowledged.add((await client().call(sessionRoutes.say, { params: { ...params, id }, body })).id);
      }
    };
    for (let round = 1; round <= rounds; round += 1) {
      const load = Array.from({ length: senders }, () => say().catch(() => {}));
      await eventually(() => {
        look(); // a signature is fresh for five minutes
        expect(acknowledged.size).toBeGreaterThanOrEqual(round * perRound);
      }, patienceMs);
      await daemon.end('SIGKILL');
      await Promise.all(load);
      await daemon.start();
    }

    await eventually(() => {
      look();
      expect([...acknowledged].filter((message) => !arrived.has(message))).toEqual([]);
    }, patienceMs);
    // One event a message: nothing was announced twice either.
    expect(bodies.size).toBe(arrived.size);
  });
});
