/**
 * Heartbeats as eight clients of server-sent events read them: two of Node.js as they are, and the rule by which six of other
 * languages end a message, from their sources on GitHub. Then the library. native/sse.peers.ts runs clients of Python and Go
 * themselves, the first three below among them.
 */
import { EventSource } from 'eventsource';
import { _iterSSEMessages as messagesOf } from 'openai/core/streaming';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sseFrames } from '../../src/client/sse-frames.js';
import { heartbeats, sent, startHeartbeats } from '../support/heartbeats.js';

let server: Awaited<ReturnType<typeof startHeartbeats>>;
beforeAll(async () => {
  server = await startHeartbeats();
});
afterAll(() => server.stop());

const dataOf = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
const hasField = (lines: readonly string[]): boolean => lines.some((line) => line !== '' && !line.startsWith(':'));

/** Splits at blank lines, and drops what is left behind the last. */
const blocks = (text: string): string[][] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => block.split('\n'));

/** The data of each message that a client reports, in order; `text` is what follows the opening of a stream. */
const clients: Readonly<Record<string, (text: string) => readonly string[]>> = {
  // btubbs/sseclient, sseclient.py: `__next__` returns a message for each match of `\n\n`, empty or not.
  'sseclient of Python': (text) => blocks(text).map((lines) => dataOf(lines).join('\n')),
  // mpetazzoni/sseclient, sseclient/__init__.py: "Events with no data are not dispatched."
  'sseclient-py of Python': (text) =>
    blocks(text)
      .map((lines) => dataOf(lines).join('\n'))
      .filter((data) => data !== ''),
  // r3labs/sse, client.go: `readLoop` gives a message without an id the last one, and sends what has an id or data.
  'r3labs/sse of Go': (text) => blocks(text).map((lines) => dataOf(lines).join('\n')),
  // square/okhttp, ServerSentEventReader.kt: `completeEvent` calls back where there is data.
  'OkHttp of Java and Kotlin': (text) =>
    blocks(text)
      .map((lines) => dataOf(lines).join('\n'))
      .filter((data) => data !== ''),
  // launchdarkly/dotnet-eventsource, EventParser.cs: a blank line resets the message where no `data` has come.
  'LaunchDarkly.EventSource of C#': (text) =>
    blocks(text)
      .filter((lines) => lines.some((line) => line.startsWith('data:')))
      .map((lines) => dataOf(lines).join('\n')),
  // launchdarkly/rust-eventsource-client, event_parser.rs: a blank line ends a message once a field has come.
  'eventsource-client of Rust': (text) =>
    blocks(text)
      .filter((lines) => hasField(lines))
      .map((lines) => dataOf(lines).join('\n')),
};

it.each(Object.entries(clients))('cause no empty message in %s', async (_, messagesIn) => {
  const text = await (await fetch(server.url)).text();
  expect(text.match(/^: heartbeat$/gm)).toHaveLength(heartbeats);
  expect(messagesIn(text.slice(text.indexOf('\n\n') + 2))).toEqual(sent);
});

it('cause no message in an EventSource', async () => {
  const messages: unknown[] = [];
  const source = new EventSource(server.url);
  source.onmessage = ({ data }) => messages.push(data);
  await new Promise((resolve) => {
    source.onerror = resolve; // the stream has ended
  });
  source.close();
  expect(messages).toEqual(sent);
});

it('cause no empty message in the client of openai, but for the opening', async () => {
  const messages: string[] = [];
  for await (const { data } of messagesOf(await fetch(server.url), new AbortController())) messages.push(data);
  expect(messages.filter((data) => data !== '')).toEqual(sent);
  expect(messages.length).toBeLessThanOrEqual(sent.length + 1);
});

it('cause no message in the library', async () => {
  const messages: string[] = [];
  const closing = new AbortController();
  const { url } = server;
  const open = (signal: AbortSignal) => fetch(url, { signal });
  for await (const { data } of sseFrames({ url, names: ['message'], open, closing: closing.signal }))
    messages.push(data);
  expect(messages).toEqual(sent);
});
