/**
 * Follows MQTT topics of a daemon and connects again by itself. The broker keeps nothing for clients that are not
 * connected: what was published between `lost` and `connected` is missed (an EventStream misses nothing).
 */
import { connect, ErrorWithReasonCode, type MqttClient } from 'mqtt';
import { sleep, steadyMs, waitMs } from './back-off.js';
import { UpgradeMissing } from './errors.js';
import { TopicRefused } from './topic-refused.js';
import { byFetch } from './transport.js';

export interface TopicStreamOptions {
  /** `mqtt://host:1883`, or `ws://host:8080/mqtt`; with TLS mqtts and wss. */
  readonly url: string;
  /** An operator's credential; left out, only topic names that the daemon has given out can be followed. */
  readonly credential?: { readonly projectId: string; readonly apiKey: string };
  readonly topics: readonly string[];
  readonly qos?: 0 | 1;
}

export type TopicNotice =
  | { readonly kind: 'connected' }
  | { readonly kind: 'message'; readonly topic: string; readonly text: string }
  /** Connects again by itself after the wait. */
  | { readonly kind: 'lost'; readonly reason: string; readonly error: Error; readonly retryInMs: number };

const connectTimeoutMs = 10_000;
const waitingMax = 10_000;
const refusedFrom = 128;
/** CONNACK of MQTT 3.1.1: bad user name or password, not authorised. */
const refusedForGood = new Set([4, 5]);

export class TopicStream implements AsyncIterable<TopicNotice> {
  private readonly closing = new AbortController();

  constructor(private readonly options: TopicStreamOptions) {}

  close(): void {
    this.closing.abort();
  }

  /** Ends when closed. Throws TopicRefused. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TopicNotice, void> {
    const { signal } = this.closing;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const began = performance.now();
      const error = yield* this.connection();
      if (signal.aborted) return;
      if (performance.now() - began > steadyMs) attempt = 0;
      const retryInMs = waitMs(attempt);
      yield { kind: 'lost', reason: error.message, error, retryInMs };
      await sleep(retryInMs, signal);
    }
  }

  /** One connection; returns why it ended. */
  private async *connection(): AsyncGenerator<TopicNotice, Error> {
    const messages: TopicNotice[] = [];
    let ended: Error | null = null;
    let wake = () => {};
    let client: MqttClient;
    try {
      client = await this.connect();
    } catch (error) {
      if (this.closing.signal.aborted) return new Error('closed');
      if (error instanceof ErrorWithReasonCode && refusedForGood.has(error.code))
        throw new TopicRefused('The broker rejects the project id and the key.', { cause: error });
      return this.whyRefused(error);
    }
    const end = (reason: string) => {
      ended ??= new Error(reason);
      wake();
    };
    client.on('message', (topic, payload) => {
      messages.push({ kind: 'message', topic, text: payload.toString('utf8') });
      if (messages.length >= waitingMax) end('messages arrived faster than they were read');
      wake();
    });
    client.on('error', ({ message }) => end(message));
    client.on('close', () => end('closed by the broker'));
    const stop = () => end('closed');
    this.closing.signal.addEventListener('abort', stop);
    try {
      const cut = await this.subscribe(client);
      if (cut !== null) return cut;
      yield { kind: 'connected' };
      for (;;) {
        const message = messages.shift();
        if (message !== undefined) yield message;
        else if (ended !== null) return ended;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      this.closing.signal.removeEventListener('abort', stop);
      client.end(true);
    }
  }

  /** The MQTT client does not say that a WebSocket was refused: asks at the same place whether requests are answered. */
  private async whyRefused(error: unknown): Promise<Error> {
    const { url } = this.options;
    const isUnexplained = !(error instanceof Error && 'code' in error && error.code !== undefined);
    if (url.startsWith('ws') && isUnexplained) {
      const place = new URL(url.replace(/^ws/, 'http'));
      const request = { method: 'GET', headers: {}, signal: AbortSignal.timeout(connectTimeoutMs) };
      const answer = await byFetch(place, request).catch(() => null);
      await answer?.body?.cancel().catch(() => {});
      if (answer !== null) return new UpgradeMissing(url);
    }
    return error instanceof Error && error.message !== '' ? error : new Error('nobody answers', { cause: error });
  }

  /** Rejects when the broker refuses or does not answer, and when the stream is closed meanwhile. */
  private connect(): Promise<MqttClient> {
    const { url, credential } = this.options;
    const login = credential === undefined ? {} : { username: credential.projectId, password: credential.apiKey };
    const options = { protocolVersion: 4 as const, clean: true, reconnectPeriod: 0, connectTimeout: connectTimeoutMs };
    const { signal } = this.closing;
    const client = connect(url, { ...options, ...login });
    return new Promise<MqttClient>((resolve, reject) => {
      client.once('connect', () => resolve(client));
      client.once('error', reject);
      client.once('close', () => reject(new Error('closed by the broker')));
      signal.addEventListener('abort', () => reject(new Error('closed')), { once: true });
      if (signal.aborted) reject(new Error('closed'));
    }).catch((error: unknown) => {
      client.on('error', () => {}); // it may report the same again
      client.end(true);
      throw error;
    });
  }

  /** Returns why the connection was lost before the broker has answered; null: it has granted all. Throws TopicRefused. */
  private async subscribe(client: MqttClient): Promise<Error | null> {
    const { topics, qos = 1 } = this.options;
    try {
      const grants = await client.subscribeAsync([...topics], { qos });
      if (grants.every((grant) => grant.qos < refusedFrom)) return null;
    } catch (error) {
      const isAnswer = error instanceof Error && 'packet' in error && error.packet !== undefined; // a SUBACK that refuses
      if (!isAnswer) return error instanceof Error ? error : new Error(String(error));
    }
    throw new TopicRefused(`The broker refuses ${topics.join(', ')}.`);
  }
}
