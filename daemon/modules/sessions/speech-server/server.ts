/**
 * `earshotd speech serve`: the embedded recogniser as an OpenAI-compatible server, so that one machine writes for others.
 * `POST /v1/audio/transcriptions` takes WAV, `/v1/realtime` a stream; `GET /v1/models` lists the one model. Bodies, recordings and waiting requests
 * are bounded; whoever disconnects has their work given up.
 */

import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { limits } from '../../../platform/limits/catalogue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import type { VoiceDetector } from '../bot/voice-activity.js';
import { vocabularyOf } from '../recognisers/prompt.js';
import { RecognitionQueue } from '../recognisers/recognition-queue.js';
import { spokenText } from '../recognisers/spoken-text.js';
import { sampleRate, type Transcriber } from '../recognisers/transcriber.js';
import { answerOf, type RecognizedPart, responseFormats } from './answers.js';
import { pcmOf, type RecordingReader, recordingSecondsMax, utterancesIn } from './audio.js';
import { RealtimeConnection } from './realtime.js';

/** As OpenAI's. */
const bodyBytesMax = 25 * 1024 * 1024;
/** Ten seconds of sound in one event. */
const realtimeEventBytesMax = 1024 * 1024;
const requestTimeoutMs = 120_000;
const retryAfterSeconds = 2;

const Fields = z.object({
  response_format: z.enum(responseFormats).default('json'),
  language: z.string().max(20).optional(),
  prompt: z.string().max(4_000).optional(),
});

interface SpeechServerOptions {
  /** Started. */
  readonly transcriber: Transcriber;
  readonly newDetector: () => VoiceDetector;
  readonly readRecording: RecordingReader;
  /** Bearer token that requests must carry; null: none. */
  readonly key: string | null;
  /** Called with why a request was answered with 500. */
  readonly onFault?: (error: unknown) => void;
}

/** A request that is answered with an error; `code` is OpenAI's. */
class SpeechRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export class SpeechServer {
  private readonly server: Server;
  private readonly queue: RecognitionQueue;
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: realtimeEventBytesMax });
  private open = 0;
  private heldBytes = 0;

  constructor(private readonly options: SpeechServerOptions) {
    this.queue = new RecognitionQueue(options.transcriber);
    this.server = createServer({ requestTimeout: requestTimeoutMs }, (request, response) => {
      void this.answer(request, response);
    });
    this.server.on('clientError', (_, socket) => socket.destroy());
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head));
  }

  /** Returns the address. Rejects when the port is taken. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, () => {
        this.server.off('error', reject).on('error', () => {});
        resolve();
      });
    });
    const { address, family, port: taken } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/v1`;
  }

  /** A WebSocket of the Realtime API; anything else is answered as a request would be. */
  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    try {
      this.authenticate(request.headers.authorization);
      if (new URL(request.url ?? '', 'http://localhost').pathname !== '/v1/realtime')
        throw new SpeechRefusal(404, 'not_found', 'There is no such WebSocket.');
      if (this.sockets.clients.size >= limits.speech_requests.max.connections)
        throw new SpeechRefusal(429, 'rate_limit_exceeded', 'Too many connections at once.');
    } catch (error) {
      const { status } = error instanceof SpeechRefusal ? error : unexpected;
      if (status === 429) countRefusal('speech_requests');
      socket.once('finish', () => socket.destroy()); // its client may never close it
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { newDetector, onFault = () => {} } = this.options;
    this.sockets.handleUpgrade(
      request,
      socket,
      head,
      (client) => new RealtimeConnection(client, request.socket.remoteAddress ?? '', this.queue, newDetector, onFault),
    );
  }

  async close(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => {});
    response.on('error', () => {});
    this.open++;
    try {
      const [type, body] = await this.answerTo(request, response);
      response.writeHead(200, { 'content-type': type }).end(body);
    } catch (error) {
      const { status, code, message } = error instanceof SpeechRefusal ? error : unexpected;
      if (status === 500) this.options.onFault?.(error);
      response.setHeader('content-type', 'application/json');
      if (status === 503 || status === 429) response.setHeader('retry-after', retryAfterSeconds);
      if (!request.complete) response.setHeader('connection', 'close');
      const type = status < 500 ? 'invalid_request_error' : 'server_error';
      response.writeHead(status).end(JSON.stringify({ error: { message, type, code } }));
    } finally {
      this.open--;
    }
  }

  private async answerTo(request: IncomingMessage, response: ServerResponse): Promise<[string, string]> {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    this.authenticate(request.headers.authorization);
    if (this.open > limits.speech_requests.max.requests) {
      countRefusal('speech_requests');
      throw new SpeechRefusal(429, 'rate_limit_exceeded', 'Too many requests at once.');
    }
    if (request.method === 'GET' && pathname === '/v1/models') {
      const model = { id: this.options.transcriber.name, object: 'model', created: 0, owned_by: 'earshot' };
      return ['application/json', JSON.stringify({ object: 'list', data: [model] })];
    }
    if (request.method === 'POST' && pathname === '/v1/audio/transcriptions') return this.transcribe(request, response);
    throw new SpeechRefusal(404, 'not_found', `There is no ${request.method} ${pathname}.`);
  }

  private authenticate(authorization: string | undefined): void {
    const { key } = this.options;
    if (key !== null && !isSameSecret(authorization ?? '', `Bearer ${key}`))
      throw new SpeechRefusal(401, 'invalid_api_key', 'The API key is missing or wrong.');
  }

  /** Throws SpeechRefusal. */
  private pcmOf(file: Uint8Array): Int16Array {
    let recording: ReturnType<RecordingReader>;
    try {
      recording = this.options.readRecording(file);
    } catch (error) {
      throw new SpeechRefusal(400, 'unsupported_audio', error instanceof Error ? error.message : String(error));
    }
    if (recording.length > recordingSecondsMax * recording.rate)
      throw new SpeechRefusal(413, 'audio_too_long', `A recording lasts at most ${recordingSecondsMax / 60} minutes.`);
    return pcmOf(recording);
  }

  /** Reads the body within what all bodies together may take; the sound alone is kept. Throws SpeechRefusal. */
  private async readForm(request: IncomingMessage) {
    let bytes = 0;
    const onBytes = (count: number) => {
      if (this.heldBytes + count > limits.speech_bodies.max) {
        countRefusal('speech_bodies');
        throw gaveUp;
      }
      bytes += count;
      this.heldBytes += count;
    };
    try {
      const { file, fields } = await formOf(request, onBytes);
      return { pcm: this.pcmOf(file), fields };
    } finally {
      this.heldBytes -= bytes;
    }
  }

  private async transcribe(request: IncomingMessage, response: ServerResponse): Promise<[string, string]> {
    const { pcm, fields } = await this.readForm(request);
    const sessionId = randomUUID();
    const isGone = () => response.closed || response.destroyed;
    const giveUp = () => this.queue.abandon(sessionId);
    response.once('close', giveUp);
    try {
      const tenantId = request.socket.remoteAddress ?? '';
      const parts: RecognizedPart[] = [];
      let language = fields.language ?? null;
      // One after the other, as they would be done in any case: a long file needs no more room in the queue than a short one.
      for (const { pcm: spoken, startMs, endMs, audioStartMs } of utterancesIn(pcm, this.options.newDetector())) {
        if (isGone()) throw gaveUp;
        const outcome = await this.queue.submit({
          ...{ tenantId, sessionId, speaker: 'file', pcm: spoken },
          hints: async () => ({
            language: fields.language,
            vocabulary: fields.prompt === undefined ? undefined : vocabularyOf(fields.prompt),
          }),
        });
        if (outcome.status === 'dropped') throw gaveUp;
        if (outcome.status === 'failed')
          throw new SpeechRefusal(500, 'recogniser_failed', 'The recogniser failed.', { cause: outcome.reason });
        const { text, confidence, noSpeechProbability, words, language: heard } = outcome.transcription;
        if (spokenText(text, endMs - startMs) === '') continue;
        language = heard ?? language;
        const onFile = (ms: number | null) => (ms === null ? null : ms + audioStartMs);
        parts.push({
          ...{ startMs, endMs, text, confidence, noSpeechProbability },
          words: words.map((word) => ({ ...word, startMs: onFile(word.startMs), endMs: onFile(word.endMs) })),
        });
      }
      return answerOf({ parts, language, durationMs: (pcm.length / sampleRate) * 1_000 }, fields.response_format);
    } finally {
      response.off('close', giveUp);
    }
  }
}

/** Compares in constant time. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The answer to a request that is gone, or that comes while too many utterances wait. */
const gaveUp = new SpeechRefusal(503, 'overloaded', 'Too much speech at once. Try again.');
const unexpected = new SpeechRefusal(500, 'server_error', 'The server failed.');

/** Throws SpeechRefusal. */
async function formOf(
  request: IncomingMessage,
  onBytes: (count: number) => void,
): Promise<{ file: Uint8Array; fields: z.output<typeof Fields> }> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data'))
    throw new SpeechRefusal(415, 'unsupported_media_type', 'Send multipart/form-data with the field file.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new SpeechRefusal(413, 'file_too_large', 'A request has at most 25 MiB.');
    onBytes(chunk.length);
    chunks.push(chunk);
  }
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  if (form === null) throw new SpeechRefusal(400, 'invalid_form', 'The form cannot be read.');
  const file = form.get('file');
  if (file === null || typeof file === 'string')
    throw new SpeechRefusal(400, 'missing_file', 'The field file is missing.');
  const fields = Fields.safeParse(Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')));
  if (!fields.success)
    throw new SpeechRefusal(
      400,
      'invalid_field',
      `The field ${fields.error.issues[0]?.path.join('.') ?? ''} is invalid.`,
    );
  return { file: new Uint8Array(await file.arrayBuffer()), fields: fields.data };
}
