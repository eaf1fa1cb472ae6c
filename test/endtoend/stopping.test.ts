/** SIGTERM to a daemon in the middle of everything: it ends in good order and in time, whoever else hangs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectAsync } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Database } from '../../daemon/platform/database/database.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { clip, joined, recording, speechForTests } from '../support/speech-clips.js';
import { openStream } from '../support/stream.js';

const speech = await speechForTests();
const patienceMs = 60_000;
/** Five seconds, and what a busy machine adds. */
const endMs = 8_000;
/** Packets from the end of one sentence to the middle of the next. */
const packetsMin = 150;
/** Signals come this often until the daemon ends. */
const insistMs = 100;
const stopped = z.object({ msg: z.literal('stopped'), durationMs: z.number() });

/** A recogniser of somebody else's that takes what it is sent and never answers. */
const hanging = createServer((request, response) => {
  if (request.url === '/v1/models') response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  else asked += 1;
});
let asked = 0;
let daemon: DaemonProcess;
let receiver: Receiver;
beforeAll(() => new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve)));
beforeEach(async () => {
  asked = 0;
  receiver = await startReceiver();
  receiver.behave = () => ({ hang: true });
  daemon = new DaemonProcess({
    EARSHOT_MQTT_PORT: String(await freePort()),
    EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
    EARSHOT_TRANSCRIBER: 'openai',
    EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/v1`,
  });
});
afterEach(async () => {
  await daemon.dispose();
  await receiver.stop();
});
afterAll(() => {
  hanging.close();
  hanging.closeAllConnections();
});

/** A client of the daemon that was started, and a webhook that hangs as soon as a session is made. */
async function prepared() {
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  const params = { projectId: (await client.call(projectRoutes.list, {}))[0]?.id ?? '' };
  const hook = { url: receiver.url, secret: 'a long enough secret', events: ['session.created'] };
  await client.call(webhookRoutes.create, { params, body: hook });
  return { client, params, token };
}

/** Somebody speaks in a room that a bot transcribes, and others listen to what happens in every way there is. */
async function inTheMiddleOfEverything(sentence: Int16Array) {
  const { mqtt } = await daemon.start();
  const { client, params, token } = await prepared();
  const clients = [
    await connectAsync(mqtt, { reconnectPeriod: 0 }),
    await connectAsync(`${daemon.url.replace('http', 'ws')}/mqtt`, { reconnectPeriod: 0 }),
  ];
  const headers = { Authorization: `Bearer ${token}` };
  const stream = await openStream(
    `${daemon.url}/api/projects/${params.projectId}/events/stream?types=webhook.test`,
    headers,
  );
  const title = { title: 'Demo', externalRoomId: 'demo' };
  const { id } = await client.call(sessionRoutes.create, { params, body: title });
  await eventually(() => expect(daemon.printed.join()).toContain('bot listens'), patienceMs);
  const ann = new RoomPublisher(await requestAccess(client, params.projectId, { roomId: 'demo', userId: 'u1' }));
  await ann.join();
  const silence = new AbortController();
  const talk = ann.play(speechFrames(recording(sentence), 0), { signal: silence.signal }).catch(() => {});
  await eventually(() => expect(asked).toBeGreaterThan(0), patienceMs);
  const heard = ann.packets;
  await eventually(() => expect(ann.packets).toBeGreaterThan(heard + packetsMin), patienceMs);
  await receiver.waitFor(1, patienceMs);
  const leave = async () => {
    silence.abort();
    await talk;
    await Promise.all([ann.leave(), ...clients.map((one) => one.endAsync(true))].map((end) => end.catch(() => {})));
  };
  return { sessionId: id, stream, leave };
}

describe.skipIf(speech === null)('SIGTERM', { timeout: 180_000 }, () => {
  it('ends the daemon in good order within seconds, whoever hangs', async () => {
    if (speech === null) return;
    const goForward = await clip(speech, 'goforward');
    const sentence = joined(0.5, goForward, 1.5, ...Array.from({ length: 8 }, () => goForward));
    const { sessionId, stream, leave } = await inTheMiddleOfEverything(sentence);
    const began = performance.now();
    process.kill(daemon.pid ?? 0, 'SIGTERM'); // twice, as when a shell and npm both pass it on
    expect(await daemon.end('SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(endMs);
    expect(stopped.parse(JSON.parse(daemon.printed.at(-1) ?? '')).durationMs).toBeLessThan(endMs);
    expect(await stream.next()).toMatchObject({ event: 'stream.closed', data: { reason: 'shutting_down' } });
    await leave();

    const database = await Database.connect(daemon.databaseUrl);
    const said = await database.read.message.findMany({ where: { sessionId, origin: 'speech' } });
    const deliveries = await database.read.webhookEvent.findMany();
    const session = await database.read.session.findUnique({ where: { id: sessionId } });
    await database.close();
    // Utterances that the recogniser still had, and the sentence that was being spoken.
    expect(said.map(({ status }) => status)).toEqual(['dropped', 'dropped']);
    expect(deliveries).toMatchObject([{ status: 'pending', leaseOwner: null, attemptsCount: 0 }]);
    expect(session).toMatchObject({ botState: 'stopped', botWanted: true });
  });

  it('a second time ends it at once', async () => {
    await daemon.start();
    const { client, params } = await prepared();
    const body = { title: 'Demo', externalRoomId: 'demo', autoStart: false };
    await client.call(sessionRoutes.create, { params, body });
    await receiver.waitFor(1, patienceMs); // the delivery that hangs keeps it from ending by itself
    const ended = daemon.end('SIGTERM');
    const insisting = setInterval(() => process.kill(daemon.pid ?? 0, 'SIGTERM'), insistMs);
    expect(await ended.finally(() => clearInterval(insisting))).toBe(1);
  });
});
