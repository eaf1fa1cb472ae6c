/** The transcription form of the Realtime API: OpenAI's client and our adapter against `speech serve`, and our adapter against peers that fail. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { OpenAiRealtimeTranscriber } from '../../daemon/modules/sessions/recognisers/openai-realtime.js';
import { sampleRate } from '../../daemon/modules/sessions/recognisers/transcriber.js';
import { startSpeechServer } from '../../daemon/modules/sessions/speech-install/serve.js';
import { readWav } from '../../src/client/voice/wav-file.js';
import { writeCertificate } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const key = 'a-key-of-the-test';
const soon = () => ({ signal: AbortSignal.timeout(40_000) });
const adapterAt = (baseUrl: string, apiKey: string | null = key) =>
  new OpenAiRealtimeTranscriber({ baseUrl, apiKey, model: 'any', requestsMax: 2 });

describe.skipIf(speech === null)('speech serve, streaming', { timeout: 90_000 }, () => {
  if (speech === null) return;
  let url: string;
  let stop: () => Promise<void>;
  let spoken: Int16Array;
  beforeAll(async () => {
    const settings = { choice: 'pocketsphinx', speechDirs: [speech.speechDir], sherpaModelDir: null } as const;
    const openai = { baseUrl: null, apiKey: null, model: 'whisper-1' };
    const started = await startSpeechServer({ ...settings, openai }, key, readWav, { host: '127.0.0.1', port: 0 });
    if (!started.ok) throw new Error(started.reason);
    ({ url, stop } = started);
    spoken = joined(0.3, await clip(speech, 'goforward'), 0.8);
  });
  afterAll(() => stop());

  it('writes for the adapter what was said, with its confidence', async () => {
    const adapter = adapterAt(url);
    expect(await adapter.probe()).toEqual({ ok: true });
    const heard = await adapter.transcribe(spoken, { ...soon(), language: 'en' });
    expect(heard).toMatchObject({ text: 'go forward ten meters', language: 'en', quality: 'good' });
    expect(heard.words.map(({ text }) => text)).toEqual(['go', 'forward', 'ten', 'meters']);
    expect(heard.confidence).toBeGreaterThan(0.3);
  });

  it('tells the adapter meanwhile, and finishes what it has heard already', async () => {
    const adapter = adapterAt(url);
    const sentence = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870');
    const texts: string[] = [];
    const live = adapter.listen({ onText: (text) => void texts.push(text), mayWork: () => true });
    for (let at = 0; at < sentence.length; at += 320) {
      live?.push(sentence.slice(at, at + 320));
      await sleep(20);
    }
    await eventually(() => expect(texts).not.toEqual([]), 20_000);
    const heard = await adapter.transcribe(sentence, { ...soon(), live });
    expect(heard.text).toContain('john');
    expect(heard.text.split(' ').length).toBeGreaterThan(10);
    await adapter.stop();
  });

  it('lets go of a connection that it refuses, also where its client does not', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => {});
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket';
    socket.write(`GET /v1/realtime HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toContain('HTTP/1.1 401 Unauthorized');
    // A server that has let go answers what is sent now by a reset.
    await eventually(() => {
      if (!socket.destroyed) socket.write('x');
      expect(socket.destroyed).toBe(true);
    });
  });

  it('refuses another key, in words', async () => {
    const adapter = adapterAt(url, 'wrong');
    expect(await adapter.probe()).toMatchObject({ ok: false, remedy: 'Set EARSHOT_OPENAI_API_KEY.' });
    await expect(adapter.transcribe(spoken, soon())).rejects.toThrow('rejects the key. Set EARSHOT_OPENAI_API_KEY');
  });

  describe("to OpenAI's own client", () => {
    // The client insists on TLS.
    const folder = mkdtempSync(join(tmpdir(), 'earshot-realtime-'));
    const files = writeCertificate(folder, 'speech');
    const proxy = createTlsServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, (socket) => {
      const { hostname, port } = new URL(url);
      const inner = connect(Number(port), hostname);
      for (const one of [socket, inner]) one.on('error', () => {});
      socket.pipe(inner).pipe(socket);
    });
    let client: OpenAI;
    beforeAll(async () => {
      proxy.listen(0, '127.0.0.1');
      await once(proxy, 'listening');
      const { port } = proxy.address() as AddressInfo;
      client = new OpenAI({ apiKey: key, baseURL: `https://127.0.0.1:${port}/v1` });
    });
    afterAll(() => {
      proxy.close();
      rmSync(folder, { recursive: true });
    });

    const opened = async () => {
      const realtime = new OpenAIRealtimeWS({ model: 'any', options: { rejectUnauthorized: false } }, client);
      const errors: string[] = [];
      realtime.on('error', (error) => void errors.push(error.message));
      await once(realtime.socket, 'open');
      return { realtime, errors };
    };
    const at24kHz = (pcm: Int16Array) => {
      const bytes = Buffer.alloc(Math.floor(pcm.length * 1.5) * 2);
      for (let index = 0; index < bytes.length / 2; index++)
        bytes.writeInt16LE(pcm[Math.floor(index / 1.5)] ?? 0, index * 2);
      return bytes;
    };
    const appendAll = (realtime: OpenAIRealtimeWS, bytes: Buffer) => {
      for (
        let at = 0;
        at < bytes.length;
        at += 9_601 // odd pieces: a sample may be cut in two
      )
        realtime.send({ type: 'input_audio_buffer.append', audio: bytes.subarray(at, at + 9_601).toString('base64') });
    };

    it.each([
      ['server_vad', true],
      ['a commit', false],
    ])('with %s', async (_, isDetected) => {
      const { realtime, errors } = await opened();
      const types: string[] = [];
      let deltas = '';
      realtime.on('event', ({ type }) => void types.push(type));
      realtime.on('conversation.item.input_audio_transcription.delta', ({ delta }) => {
        deltas += delta;
      });
      const completed = new Promise<{ transcript: string; item_id: string }>((resolve) =>
        realtime.on('conversation.item.input_audio_transcription.completed', resolve),
      );
      realtime.send({
        type: 'session.update',
        session: {
          type: 'transcription',
          audio: {
            input: {
              format: { type: 'audio/pcm', rate: 24_000 },
              transcription: { model: 'any', language: 'en', prompt: 'go, forward' },
              turn_detection: isDetected ? { type: 'server_vad' } : null,
            },
          },
        },
      });
      appendAll(realtime, at24kHz(spoken));
      if (!isDetected) realtime.send({ type: 'input_audio_buffer.commit' });
      const { transcript, item_id } = await completed;
      expect(transcript).toBe('go forward ten meters');
      expect(item_id).toMatch(/^item_/);
      expect('go forward ten meters'.startsWith(deltas.split(' ')[0] ?? '')).toBe(true);
      expect(types.find((type) => type !== 'session.created')).toBe('session.updated');
      const turn = ['input_audio_buffer.speech_started', 'input_audio_buffer.speech_stopped'];
      expect(types.filter((type) => type.startsWith('input_audio_buffer'))).toEqual([
        ...(isDetected ? turn : []),
        'input_audio_buffer.committed',
      ]);
      expect(errors).toEqual([]);
      realtime.close();
    });

    it('that sends nonsense, commits nothing, or fills the buffer is told so, and may go on', async () => {
      const { realtime, errors } = await opened();
      realtime.send({
        type: 'session.update',
        session: { type: 'transcription', audio: { input: { turn_detection: null } } },
      });
      realtime.socket.send('no JSON');
      realtime.socket.send('{"type":"response.create"}');
      realtime.send({ type: 'input_audio_buffer.commit' });
      const second = Buffer.alloc(48_000 * 10);
      for (let sent = 0; sent < 7; sent++)
        realtime.send({ type: 'input_audio_buffer.append', audio: second.toString('base64') });
      realtime.send({ type: 'input_audio_buffer.clear' });
      await eventually(() => expect(errors).toHaveLength(4));
      expect(errors.map((message) => /code=(\w+)/.exec(message)?.[1])).toEqual([
        ...['invalid_event', 'invalid_event', 'input_audio_buffer_commit_empty', 'input_audio_buffer_full'],
      ]);
      expect(realtime.socket.readyState).toBe(realtime.socket.OPEN);
      realtime.socket.send('x'.repeat(2 * 1024 * 1024));
      await once(realtime.socket, 'close');
    });
  });
});

describe('a Realtime service that', () => {
  const pcm = new Int16Array(sampleRate);
  const http = createServer((_, response) => response.writeHead(503).end());
  const sockets = new WebSocketServer({ server: http });
  let attempts = 0;
  let behave: (socket: WebSocket, attempt: number) => void = () => {};
  let url: string;
  sockets.on('connection', (socket) => {
    socket.on('error', () => {});
    behave(socket, ++attempts);
  });
  beforeAll(async () => {
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  });
  afterEach(() => {
    for (const client of sockets.clients) client.terminate();
    attempts = 0;
  });
  afterAll(() => void http.close());

  const onCommit = (socket: WebSocket, act: () => void) =>
    socket.on('message', (data) => {
      if (String(data).includes('input_audio_buffer.commit')) act();
    });
  const say = (socket: WebSocket, event: object) => socket.send(JSON.stringify(event));
  const completed = (transcript: string) => ({
    type: 'conversation.item.input_audio_transcription.completed',
    transcript,
  });

  it('dies in the middle is asked again, with the whole utterance', async () => {
    behave = (socket, attempt) =>
      attempt === 1 ? setTimeout(() => socket.terminate(), 50) : onCommit(socket, () => say(socket, completed('back')));
    const adapter = adapterAt(url);
    const live = adapter.listen({ onText: () => {}, mayWork: () => true });
    live?.push(pcm);
    await sleep(100);
    expect((await adapter.transcribe(pcm, { ...soon(), live })).text).toBe('back');
    expect(attempts).toBe(2);
  });

  it.each<[string, (socket: WebSocket) => void, RegExp]>([
    ['always dies', (socket) => socket.terminate(), /closed the connection|socket hang up|ECONNRESET/],
    ['talks nonsense', (socket) => socket.send('<html>'), /no event of the Realtime API/],
    ['sends what has the wrong form', (socket) => say(socket, { ...completed('x'), transcript: 7 }), /no event/],
    [
      'floods',
      (socket) => {
        for (let sent = 0; sent < 40; sent++) say(socket, { type: 'other', text: 'x'.repeat(100_000) });
      },
      /too much/,
    ],
    ['sends one huge event', (socket) => socket.send('x'.repeat(300_000)), /Max payload size exceeded|closed/],
    [
      'reports an error',
      (socket) => say(socket, { type: 'error', error: { message: 'no such model' } }),
      /no such model/,
    ],
  ])('%s fails the utterance after three attempts, and nothing else', async (_, act, reason) => {
    behave = (socket) => act(socket);
    await expect(adapterAt(url).transcribe(pcm, soon())).rejects.toThrow(reason);
    expect(attempts).toBe(3);
  });

  it('bounds an event gets long sound in pieces, all of it', async () => {
    const sizes: number[] = [];
    let bytes = 0;
    behave = (socket) => {
      socket.on('message', (data) => {
        sizes.push(String(data).length);
        const { audio = '' } = JSON.parse(String(data)) as { audio?: string };
        bytes += Buffer.from(audio, 'base64').length;
      });
      onCommit(socket, () => say(socket, completed('long')));
    };
    const long = new Int16Array(20 * sampleRate);
    expect((await adapterAt(url).transcribe(long, soon())).text).toBe('long');
    expect(bytes).toBe(long.length * 3);
    expect(Math.max(...sizes)).toBeLessThan(512 * 1024);
  });

  it('is told while they speak what is known of a speaker, before the sound', async () => {
    const events: { type: string; session?: unknown }[] = [];
    behave = (socket) => {
      socket.on('message', (data) => void events.push(JSON.parse(String(data))));
      onCommit(socket, () => say(socket, completed('hallo')));
    };
    const adapter = adapterAt(url);
    const hints = async () => {
      await sleep(100);
      return { language: 'de-AT', vocabulary: ['Roshan'] };
    };
    const live = adapter.listen({ onText: () => {}, mayWork: () => true, hints });
    live?.push(pcm);
    expect((await adapter.transcribe(pcm, { ...soon(), live, language: 'de-AT' })).text).toBe('hallo');
    expect(events.map(({ type }) => type)).toEqual([
      ...['session.update', 'input_audio_buffer.append', 'input_audio_buffer.commit'],
    ]);
    expect(events[0]?.session).toMatchObject({
      audio: { input: { transcription: { model: 'any', language: 'de', prompt: 'Roshan' } } },
    });
  });

  it('answers too late is not waited for', async () => {
    behave = (socket) => onCommit(socket, () => setTimeout(() => say(socket, completed('late')), 1_000));
    const adapter = adapterAt(url);
    await expect(adapter.transcribe(pcm, { signal: AbortSignal.timeout(200) })).rejects.toThrow('aborted');
    const open = expect(adapter.transcribe(pcm, soon())).rejects.toThrow();
    await sleep(50);
    await adapter.stop();
    await open;
  });

  it('is not there, or is none, fails the probe with what to do', async () => {
    const refusing = createServer((_, response) => response.writeHead(404).end());
    refusing.listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const at = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/v1`;
    expect(await adapterAt(at).probe()).toMatchObject({ ok: false, reason: expect.stringContaining('answers 404') });
    refusing.close();
    await once(refusing, 'close');
    expect(await adapterAt(at).probe()).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('EARSHOT_OPENAI_BASE_URL'),
    });
  });
});
