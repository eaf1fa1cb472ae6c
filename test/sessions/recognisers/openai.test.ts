import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenAiTranscriber } from '../../../daemon/modules/sessions/recognisers/openai.js';
import { RecognitionQueue } from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { unstated } from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { whileCollecting } from '../../support/collect.js';

interface Received {
  url: string;
  authorization: string | undefined;
  fields: Record<string, string>;
  wav: Buffer;
}
type Reply = (received: Received, attempt: number) => { status: number; body?: unknown } | 'hang';

const pcm = Int16Array.from({ length: 16_000 }, (_, index) => Math.round(8_000 * Math.sin(index / 5)));
const soon = () => ({ signal: AbortSignal.timeout(5_000) });
let server: Server | undefined;
let received: Received[] = [];

/** A service of the kind that somebody else runs; answers as `reply` says. */
async function service(reply: Reply): Promise<string> {
  received = [];
  server = createServer(async (request, response) => {
    received.push(await read(request));
    const answer = reply(received.at(-1) ?? fail(), received.length);
    if (answer === 'hang') return;
    response.writeHead(answer.status, { 'content-type': 'application/json', 'retry-after-ms': '10' });
    response.end(JSON.stringify(answer.body ?? { error: { message: 'no' } }));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function fail(): never {
  throw new Error('nothing was received');
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { url = '', headers } = request;
  const got: Received = { url, authorization: headers.authorization, fields: {}, wav: Buffer.alloc(0) };
  if (!headers['content-type']?.startsWith('multipart/')) return got;
  const form = await new Response(Buffer.concat(chunks), {
    headers: { 'content-type': headers['content-type'] },
  }).formData();
  for (const [name, value] of form) {
    if (typeof value === 'string') got.fields[name] = value;
    else got.wav = Buffer.from(await value.arrayBuffer());
  }
  return got;
}

const transcriberAt = (baseUrl: string) =>
  new OpenAiTranscriber({ baseUrl, apiKey: 'secret', model: 'whisper-1', requestsMax: 2 });

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

describe('an OpenAI-compatible transcription service', () => {
  it('is sent one WAV file a segment, with model, hint and language', async () => {
    const transcriber = transcriberAt(
      await service(() => ({ status: 200, body: { text: ' push the lane ', language: 'english' } })),
    );
    const heard = await transcriber.transcribe(pcm, { ...soon(), vocabulary: ['lane', 'jungle'], language: 'en-GB' });
    expect(heard).toEqual({ ...unstated, text: 'push the lane', quality: 'good', language: 'en' });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      url: '/v1/audio/transcriptions',
      authorization: 'Bearer secret',
      fields: { model: 'whisper-1', prompt: 'lane, jungle', language: 'en', response_format: 'verbose_json' },
    });
    expect(received[0]?.wav.length).toBe(44 + pcm.length * 2);
    expect(received[0]?.wav.readUInt32LE(24)).toBe(16_000);
    expect(received[0]?.wav.readInt16LE(44 + 2 * 100)).toBe(pcm[100]);
  });

  it('is sent no more of a vocabulary than it reads', async () => {
    const transcriber = transcriberAt(await service(() => ({ status: 200, body: { text: 'x' } })));
    const vocabulary = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(60, 'x'));
    await transcriber.transcribe(pcm, { ...soon(), vocabulary });
    const { prompt = '' } = received[0]?.fields ?? {};
    expect([prompt, prompt.length]).toEqual([vocabulary.slice(0, 12).join(', '), 12 * 62 - 2]);
    expect(13 * 62 - 2).toBeGreaterThan(800);
  });

  it('has what was probably no speech left out', async () => {
    const segments = [
      { text: ' Thank you for watching.', no_speech_prob: 0.61 },
      { text: ' Go left.', no_speech_prob: 0.6 },
    ];
    const transcriber = transcriberAt(
      await service(() => ({
        status: 200,
        body: { text: ' Thank you for watching. Go left.', language: 'en', segments },
      })),
    );
    expect((await transcriber.transcribe(pcm, soon())).text).toBe('Go left.');
  });

  it('has its probabilities taken: of words where it states them, else of segments by their length', async () => {
    const segments = [
      { text: ' Push', start: 0, end: 3, avg_logprob: Math.log(0.9), no_speech_prob: 0.1 },
      { text: ' the lane', start: 3, end: 4, avg_logprob: Math.log(0.5), no_speech_prob: 0.5 },
    ];
    const words = [
      { word: ' Push', start: 0.1, end: 0.4, probability: 0.25 },
      { word: ' lane', start: 0.5, end: 0.9, probability: 0.75 },
    ];
    const bodies = [
      { text: 'Push the lane', segments },
      { text: 'Push lane', segments: [{ ...segments[0], words }] },
    ];
    const transcriber = transcriberAt(await service((_, attempt) => ({ status: 200, body: bodies[attempt - 1] })));
    const bySegment = await transcriber.transcribe(pcm, soon());
    expect(bySegment.confidence).toBeCloseTo((0.9 * 3 + 0.5) / 4, 6);
    expect(bySegment.noSpeechProbability).toBeCloseTo((0.1 * 3 + 0.5) / 4, 6);
    const byWord = await transcriber.transcribe(pcm, soon());
    expect(byWord.confidence).toBe(0.5);
    expect(byWord.words).toEqual([
      { text: 'Push', startMs: 100, endMs: 400, confidence: 0.25 },
      { text: 'lane', startMs: 500, endMs: 900, confidence: 0.75 },
    ]);
  });

  it('has what may all be silence kept, with how likely that is', async () => {
    const segments = [{ text: ' Thank you.', no_speech_prob: 0.9 }];
    const transcriber = transcriberAt(await service(() => ({ status: 200, body: { text: ' Thank you.', segments } })));
    const heard = await transcriber.transcribe(pcm, soon());
    expect(heard).toMatchObject({ text: 'Thank you.', confidence: null });
    expect(heard.noSpeechProbability).toBeCloseTo(0.9, 6);
  });

  it('is asked again after 503', async () => {
    const transcriber = transcriberAt(
      await service((_, attempt) => (attempt < 3 ? { status: 503 } : { status: 200, body: { text: 'back' } })),
    );
    expect((await transcriber.transcribe(pcm, soon())).text).toBe('back');
    expect(received).toHaveLength(3);
  });

  it('is asked for plain JSON, and from then on, when it refuses the richer form', async () => {
    const transcriber = transcriberAt(
      await service(({ fields }) =>
        fields.response_format === 'json' ? { status: 200, body: { text: 'plain' } } : { status: 400 },
      ),
    );
    expect(await transcriber.transcribe(pcm, soon())).toEqual({
      ...unstated,
      ...{ text: 'plain', quality: 'good', language: null },
    });
    await transcriber.transcribe(pcm, soon());
    expect(received.map(({ fields }) => fields.response_format)).toEqual(['verbose_json', 'json', 'json']);
  });

  it('is not waited for once the signal fires, nor after stop', async () => {
    const transcriber = transcriberAt(await service(() => 'hang'));
    await expect(transcriber.transcribe(pcm, { signal: AbortSignal.timeout(50) })).rejects.toThrow('aborted');
    const open = expect(transcriber.transcribe(pcm, soon())).rejects.toThrow('aborted');
    await transcriber.stop();
    await open;
  });

  it('is given up by the queue when it hangs, also while memory is collected', async () => {
    const queue = new RecognitionQueue(transcriberAt(await service(() => 'hang')), {
      limit: { seconds: 0.3, factor: 0 },
    });
    const segment = { tenantId: 't', sessionId: 's', speaker: 'ann', pcm };
    const outcome = await whileCollecting(() => queue.submit(segment));
    expect(outcome).toMatchObject({ status: 'failed', isTooSlow: true });
  });

  it('fails the segment when it answers something else', async () => {
    const transcriber = transcriberAt(await service(() => ({ status: 200, body: { words: [] } })));
    await expect(transcriber.transcribe(pcm, soon())).rejects.toThrow();
  });

  it.each([
    [200, { data: [] }, { ok: true }],
    [404, undefined, { ok: true }],
    [401, undefined, { ok: false, remedy: 'Set EARSHOT_OPENAI_API_KEY.' }],
  ])('that answers %s to a probe', async (status, body, expected) => {
    const transcriber = transcriberAt(await service(() => ({ status, body })));
    expect(await transcriber.probe()).toMatchObject(expected);
  });

  it('that does not answer fails the probe', async () => {
    const baseUrl = await service(() => 'hang');
    server?.close();
    expect(await transcriberAt(baseUrl).probe()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('does not answer'),
    });
  });
});
