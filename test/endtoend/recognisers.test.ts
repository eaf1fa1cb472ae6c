/** Settings of the recogniser: another service's words in the transcript, or a bot that names the missing one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, recording, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const patienceMs = 60_000;
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function sessionOn(settings: Readonly<Record<string, string>>) {
  const daemon = new DaemonProcess(settings);
  ended.push(() => daemon.dispose());
  await daemon.start();
  const { accessToken: token } = await new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
    body: administrator,
  });
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  const projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
  const body = { title: 'Demo', externalRoomId: 'demo' };
  const { id } = await client.call(sessionRoutes.create, { params: { projectId }, body });
  return { daemon, client, projectId, params: { projectId, id } };
}

interface Service {
  readonly url: string;
  readonly asked: string[];
  isBroken: boolean;
}

/** A service of the kind that somebody else runs: it answers every recording with the same words. */
async function transcriptions(words: string): Promise<Service> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume().on('end', () => {
      const [status, answer] = service.isBroken ? [500, { error: 'out of memory' }] : [200, { text: words }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ended.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const service: Service = { url, asked, isBroken: false };
  return service;
}

describe('a daemon', { timeout: 180_000 }, () => {
  it.skipIf(speech === null)('writes down what an OpenAI-compatible service heard', async () => {
    if (speech === null) return;
    const service = await transcriptions('the cavalry is here');
    const { daemon, client, projectId, params } = await sessionOn({
      EARSHOT_TRANSCRIBER: 'openai',
      EARSHOT_OPENAI_BASE_URL: service.url,
      EARSHOT_OPENAI_API_KEY: 'its-key',
    });
    const bot = async () => (await client.call(sessionRoutes.get, { params })).bot.state;
    await eventually(async () => expect(await bot()).toBe('listening'), patienceMs);
    const ann = new RoomPublisher(await requestAccess(client, projectId, { roomId: 'demo', userId: 'u1' }));
    await ann.join();
    await ann.play(speechFrames(recording(joined(0.5, await clip(speech, 'goforward'))), 1_500));
    await eventually(async () => {
      const messages = await client.call(sessionRoutes.messages, { params });
      expect(messages).toContainEqual(expect.objectContaining({ senderName: 'u1', content: 'the cavalry is here' }));
    }, patienceMs);
    expect(service.asked).toContain('POST /v1/audio/transcriptions Bearer its-key');

    // `earshot why` sends the operator to the log: one line when it begins to fail, one when it works again.
    const { counters } = (await client.call(sessionRoutes.get, { params })).bot;
    service.isBroken = true;
    for (const count of [1, 2]) {
      await ann.play(speechFrames(recording(joined(0.5, await clip(speech, 'goforward'))), 1_500));
      await eventually(async () => {
        const { failed } = (await client.call(sessionRoutes.get, { params })).bot.counters;
        expect(failed).toBe(counters.failed + count);
      }, patienceMs);
    }
    service.isBroken = false;
    await ann.play(speechFrames(recording(joined(0.5, await clip(speech, 'goforward'))), 1_500));
    const told = () => daemon.printed.filter((line) => /the speech recogniser (fails|works again)/.test(line));
    await eventually(() => expect(told()).toHaveLength(2), patienceMs);
    expect(JSON.parse(told()[0] ?? '')).toMatchObject({
      level: 'error',
      msg: expect.stringMatching(/^the speech recogniser fails/),
      reason: expect.stringContaining('500'),
    });
    expect(JSON.parse(told()[1] ?? '')).toMatchObject({ level: 'info', msg: 'the speech recogniser works again' });
    await ann.leave();
  });

  it('without a recogniser starts the session all the same, and says what to do', async () => {
    const { daemon, client, params } = await sessionOn({
      EARSHOT_TRANSCRIBER: 'sherpa',
      EARSHOT_SHERPA_MODEL_DIR: tmpdir(), // no model lies there
    });
    await eventually(async () => {
      const { status, bot } = await client.call(sessionRoutes.get, { params });
      expect({ status, cause: bot.cause }).toEqual({ status: 'active', cause: 'recogniser_unavailable' });
    }, patienceMs);
    const told = daemon.printed.filter((line) => line.includes('no speech is recognised'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/EARSHOT_|earshotd speech install/);
  });
});
