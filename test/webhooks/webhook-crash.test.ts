/** A daemon that is killed again and again delivers every event: at least once, under one id, signed. */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DomainEvent } from '../../src/contract/events.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { scale } from '../support/scale.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const subscriptions = scale(2, 10);
const events = scale(60, 100_000);
const rounds = scale(2, 50);
/** Each message is an event for every subscription. */
const messagesPerRound = Math.ceil(events / subscriptions / rounds);
const senders = 16;
const patienceMs = scale(300_000, 3_600_000);

let daemon: DaemonProcess;
let receivers: Receiver[];
beforeEach(async () => {
  daemon = new DaemonProcess({ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
  receivers = await Promise.all(Array.from({ length: subscriptions }, () => startReceiver()));
});
afterEach(async () => {
  await daemon.dispose();
  await Promise.all(receivers.map((one) => one.stop()));
});

/** Events at one receiver: message → event, each delivery verified when it is first looked at. */
class Arrivals {
  readonly events = new Map<string, string>();
  private readonly bodies = new Map<string, string>();
  private readonly verifier = new Webhook(secret);

  constructor(private readonly receiver: Receiver) {}

  look(): void {
    for (const { headers, body } of this.receiver.received.splice(0)) {
      const event = DomainEvent.parse(this.verifier.verify(body, headers));
      const message = JSON.parse(body).payload.data.id;
      expect(headers['webhook-id']).toBe(event.id);
      expect(this.events.get(message) ?? event.id).toBe(event.id);
      expect(this.bodies.get(event.id) ?? body).toBe(body);
      this.events.set(message, event.id);
      this.bodies.set(event.id, body);
    }
  }

  /** One event a message: nothing was announced twice either. */
  expectOneEventEach(): void {
    expect(this.bodies.size).toBe(this.events.size);
  }
}

describe('kill -9 while webhooks are delivered', () => {
  it('loses no event and sends repetitions under the same id', { timeout: patienceMs }, async () => {
    await daemon.start();
    const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(
      accountRoutes.loginCredentials,
      {
        body: administrator,
      },
    );
    const client = () => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [project] = await client().call(projectRoutes.list, {});
    const params = { projectId: project?.id ?? '' };
    for (const { url } of receivers)
      await client().call(webhookRoutes.create, { params, body: { url, secret, events: ['message.created'] } });
    const { id } = await client().call(sessionRoutes.create, {
      params,
      body: { title: 'Crash', externalRoomId: 'crash', autoStart: false },
    });

    const arrivals = receivers.map((receiver) => new Arrivals(receiver));
    const look = () => {
      for (const one of arrivals) one.look();
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
        expect(acknowledged.size).toBeGreaterThanOrEqual(round * messagesPerRound);
      }, patienceMs);
      await daemon.end('SIGKILL');
      await Promise.all(load);
      await daemon.start();
    }

    for (const { events } of arrivals)
      await eventually(() => {
        look();
        expect([...acknowledged].filter((message) => !events.has(message))).toEqual([]);
      }, patienceMs);
    for (const one of arrivals) one.expectOneEventEach();
  });
});
