/** The server of `earshotd speech serve`, and our adapter for OpenAI-compatible services against it. */
import { type ClientRequest, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiTranscriber } from '../../daemon/modules/sessions/recognisers/openai.js';
import { PocketsphinxTranscriber } from '../../daemon/modules/sessions/recognisers/pocketsphinx.js';
import { waitingPerSessionMax } from '../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { sampleRate, type Transcriber, unstated } from '../../daemon/modules/sessions/recognisers/transcriber.js';
import { startSpeechServer } from '../../daemon/modules/sessions/speech-install/serve.js';
import { SpeechServer } from '../../daemon/modules/sessions/speech-server/server.js';
import { wavFile } from '../../daemon/modules/sessions/wav.js';
import { readWav } from '../../src/client/voice/wav-file.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const key = 'a-key-of-the-test';
const soon = () => ({ signal: AbortSignal.timeout(30_000) });

describe.skipIf(speech === null)('speech serve', () => {
  if (speech === null) return;
  let url: string;
  let stop: () => Promise<void>;
  let spoken: Int16Array;
  const adapter = (apiKey: string | null = key) =>
    new OpenAiTranscriber({ baseUrl: url, apiKey, model: 'any', requestsMax: 2 });

  beforeAll(async () => {
    const settings = { choice: 'pocketsphinx', speechDirs: [speech.speechDir], sherpaModelDir: null } as const;
    const openai = { baseUrl: null, apiKey: null, model: 'whisper-1' };
    const started = await startSpeechServer({ ...settings, openai }, key, readWav, { host: '127.0.0.1', port: 0 });
    if (!started.ok) throw new Error(started.reason);
    ({ url, stop } = started);
    spoken = joined(0.5, await clip(speech, 'goforward'), 1.5, await clip(speech, 'cards/001'), 1);
  });
  afterAll(() => stop());

  const send = (fields: Record<string, string>, file: Buffer | null = wavFile(spoken, sampleRate), bearer = key) => {
    const body = new FormData();
    if (file !== null) body.append('file', new Blob([new Uint8Array(file)]), 'speech.wav');
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const headers = { authorization: `Bearer ${bearer}` };
    return fetch(`${url}/audio/transcriptions`, { method: 'POST', body, headers });
  };

  it('writes for the adapter what the recogniser itself would write, with its confidence', async () => {
    expect(await adapter().probe()).toEqual({ ok: true });
    const heard = await adapter().transcribe(joined(0.3, await clip(speech, 'goforward'), 0.6), soon());
    expect(heard).toMatchObject({ text: 'go forward ten meters', language: 'en', noSpeechProbability: null });
    expect(heard.words.map(({ text }) => text)).toEqual(['go', 'forward', 'ten', 'meters']);
    const own = new PocketsphinxTranscriber({ speechDirs: [speech.speechDir], decoders: 1 });
    await own.start();
    const direct = await own.transcribe(await clip(speech, 'goforward'), soon());
    await own.stop();
    expect(Math.abs((heard.confidence ?? 0) - (direct.confidence ?? 1))).toBeLessThan(0.3);
    for (const [index, word] of heard.words.entries())
      expect(Math.abs((word.startMs ?? 0) - 300 - (direct.words[index]?.startMs ?? 0))).toBeLessThan(400);
  });

  it('hears nothing in silence', async () => {
    expect(await adapter().transcribe(joined(2), soon())).toMatchObject({ text: '', words: [], confidence: null });
  });

  it.each([
    ['json', 'application/json', /^\{"text":"go forward ten meters ten of clubs"\}$/],
    ['text', 'text/plain; charset=utf-8', /^go forward ten meters ten of clubs\n$/],
    [
      'srt',
      'application/x-subrip; charset=utf-8',
      /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\ngo forward ten meters\n\n2\n/,
    ],
    ['vtt', 'text/vtt; charset=utf-8', /^WEBVTT\n\n00:00:0\d\.\d{3} --> 00:00:0\d\.\d{3}\ngo forward ten meters\n\n/],
    ['verbose_json', 'application/json', /"task":"transcribe","language":"en","duration":\d/],
  ])('answers as %s', async (format, type, expected) => {
    const response = await send({ model: 'any', response_format: format });
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toMatch(expected);
  });

  it('reads other rates and two channels', async () => {
    const stereo = wavFile(
      Int16Array.from({ length: spoken.length * 6 }, (_, at) => spoken[Math.floor(at / 6)] ?? 0),
      48_000,
    );
    stereo.writeUInt16LE(2, 22);
    stereo.writeUInt16LE(4, 32);
    expect(await (await send({}, stereo)).json()).toEqual({ text: 'go forward ten meters ten of clubs' });
  });

  it.each([
    ['without the key', 401, 'invalid_api_key', () => send({}, undefined, 'another')],
    ['without a file', 400, 'missing_file', () => send({}, null)],
    ['with something else than WAV', 400, 'unsupported_audio', () => send({}, Buffer.from('ID3 music'))],
    ['in an unknown form', 400, 'invalid_field', () => send({ response_format: 'xml' })],
    ['that is too large', 413, 'file_too_large', () => send({}, Buffer.alloc(26 * 1024 * 1024))],
    ['that lasts too long', 413, 'audio_too_long', () => send({}, wavFile(new Int16Array(12_000_000), 4_000))],
    ['of no form at all', 415, 'unsupported_media_type', () => post('{}')],
  ])('refuses a request %s', async (_, status, code, request) => {
    const response = await request();
    expect({ status: response.status, error: ((await response.json()) as { error: object }).error }).toMatchObject({
      ...{ status, error: { code } },
    });
  });
  const post = (body: string) =>
    fetch(`${url}/audio/transcriptions`, {
      ...{ method: 'POST', body, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
    });

  it('refuses the adapter with another key, at its probe', async () => {
    expect(await adapter('wrong').probe()).toMatchObject({ ok: false, remedy: 'Set EARSHOT_OPENAI_API_KEY.' });
  });

  it('gives up the work of somebody who goes away, and answers the next', async () => {
    const long = joined(...Array.from({ length: 6 }, () => [spoken, 0.6]).flat());
    await expect(adapter().transcribe(long, { signal: AbortSignal.timeout(300) })).rejects.toThrow('aborted');
    const next = await eventually(() => adapter().transcribe(spoken, soon()), 20_000);
    expect(next.text).toBe('go forward ten meters ten of clubs');
  });
});

it('writes a file of more utterances than may wait at once, without marks of sounds', async () => {
  let pieces = 0;
  const transcriber: Transcriber = {
    ...{
      name: 'counting',
      concurrency: 1,
      probe: async () => ({ ok: true }),
      start: async () => {},
      stop: async () => {},
    },
    transcribe: async () => {
      const text = pieces++ === 0 ? '[BLANK_AUDIO]' : '(wind howling) word';
      return { text, quality: 'good', language: null, ...unstated };
    },
  };
  const newDetector = () => ({ isSpeech: (frame: Int16Array) => frame[0] !== 0, close: () => {} });
  const server = new SpeechServer({ transcriber, newDetector, readRecording: readWav, key: null });
  const base = await server.listen('127.0.0.1', 0);
  const said = waitingPerSessionMax + 6;
  const second = Int16Array.from({ length: sampleRate }, (_, at) => (at < sampleRate / 4 ? 1_000 : 0));
  const body = new FormData();
  const wav = wavFile(joined(...Array.from({ length: said }, () => second)), sampleRate);
  body.append('file', new Blob([new Uint8Array(wav)]), 'speech.wav');
  const response = await fetch(`${base}/audio/transcriptions`, { method: 'POST', body });
  expect(await response.json()).toEqual({
    text: Array(said - 1)
      .fill('word')
      .join(' '),
  });
  await server.close();
});

it('answers with numbers where the schema of OpenAI has them, and the adapter reads those that mean nothing as none', async () => {
  const words = [
    { text: 'push', startMs: 0, endMs: 100, confidence: null },
    { text: 'mid', startMs: null, endMs: null, confidence: null },
  ];
  const transcriber: Transcriber = {
    ...{ name: 'silent', concurrency: 1, probe: async () => ({ ok: true }) as const },
    ...{ start: async () => {}, stop: async () => {} },
    transcribe: async () => ({ ...unstated, text: 'push mid', quality: 'good', language: null, words }),
  };
  const newDetector = () => ({ isSpeech: (frame: Int16Array) => frame[0] !== 0, close: () => {} });
  const server = new SpeechServer({ transcriber, newDetector, readRecording: readWav, key: null });
  const baseUrl = await server.listen('127.0.0.1', 0);
  const pcm = Int16Array.from({ length: 2 * sampleRate }, (_, at) => (at < sampleRate ? 1_000 : 0));
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(wavFile(pcm, sampleRate))]), 'speech.wav');
  body.append('response_format', 'verbose_json');
  const answer: unknown = await (await fetch(`${baseUrl}/audio/transcriptions`, { method: 'POST', body })).json();
  // CreateTranscriptionResponseVerboseJson of OpenAI's OpenAPI document: all of these are required.
  const number = expect.any(Number);
  const segment = {
    ...{ id: 0, seek: number, start: number, end: number, text: 'push mid', tokens: [], temperature: number },
    ...{ avg_logprob: number, compression_ratio: number, no_speech_prob: number },
  };
  expect(answer).toMatchObject({
    ...{ task: 'transcribe', language: expect.any(String), duration: 2, text: 'push mid' },
    ...{ segments: [segment], words: [{ word: 'push', start: number, end: number }] },
    usage: { type: 'duration', seconds: 2 },
  });
  expect(JSON.stringify(answer)).not.toContain('null');
  const adapter = new OpenAiTranscriber({ baseUrl, apiKey: null, model: 'any', requestsMax: 1 });
  expect(await adapter.transcribe(pcm, soon())).toMatchObject({
    ...{ text: 'push mid', language: null, confidence: null, noSpeechProbability: null },
  });
  await server.close();
});

it('says why it answered 500, and bounds what all requests together hold in memory', async () => {
  const faults: unknown[] = [];
  const transcriber: Transcriber = {
    ...{
      name: 'broken',
      concurrency: 1,
      probe: async () => ({ ok: true }),
      start: async () => {},
      stop: async () => {},
    },
    transcribe: async () => {
      throw new Error('no such tensor');
    },
  };
  const newDetector = () => ({ isSpeech: () => true, close: () => {} });
  const onFault = (error: unknown) => void faults.push(error);
  const server = new SpeechServer({ transcriber, newDetector, readRecording: readWav, key: null, onFault });
  const base = await server.listen('127.0.0.1', 0);
  const post = (wav: Buffer) => {
    const body = new FormData();
    body.append('file', new Blob([new Uint8Array(wav)]), 'speech.wav');
    return fetch(`${base}/audio/transcriptions`, { method: 'POST', body });
  };
  const failed = await post(wavFile(new Int16Array(sampleRate), sampleRate));
  expect(failed.status).toBe(500);
  expect(JSON.stringify(await failed.json())).not.toContain('tensor');
  expect(faults).toEqual([expect.objectContaining({ cause: 'no such tensor' })]);
  const large = Buffer.alloc(24 * 1024 * 1024);
  const open = new Set<ClientRequest>();
  const hold = () => {
    const request = httpRequest(`${base}/audio/transcriptions`, {
      ...{ method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 2 ** 25 } },
    });
    open.add(request);
    request.on('error', () => {});
    // Until all of them have arrived, one of these may be refused instead of the request below.
    request.on('response', () => {
      request.destroy();
      if (open.delete(request)) hold();
    });
    request.write(large);
  };
  for (const _ of [1, 2, 3, 4, 5]) hold();
  await eventually(async () => {
    const refused = await post(Buffer.alloc(20 * 1024 * 1024));
    expect({ status: refused.status, retry: refused.headers.get('retry-after') }).toEqual({ status: 503, retry: '2' });
  }, 20_000);
  const held = [...open];
  open.clear();
  for (const request of held) request.destroy();
  await eventually(async () => expect((await post(Buffer.alloc(20 * 1024 * 1024))).status).toBe(400), 20_000);
  await server.close();
});
