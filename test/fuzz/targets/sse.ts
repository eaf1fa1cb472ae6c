import { type SseFrame, sseFrames } from '../../../src/client/sse-frames.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const names = ['message', 'gap', 'closed'];
/** The bytes of a BOM, each written as a character of its own. */
const encodedTwice = '\u00ef\u00bb\u00bf';
const url = 'http://127.0.0.1/api/events/stream';

/** The frames that the client reads of a stream, which comes in pieces of this size and then ends. */
async function read(input: Buffer, pieceBytes: number): Promise<SseFrame[]> {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= input.length) return controller.close();
      controller.enqueue(input.subarray(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
  const headers = { 'Content-Type': 'text/event-stream' };
  const open = async () => Object.assign(new Response(body, { headers }), {});
  const frames: SseFrame[] = [];
  for await (const frame of sseFrames({ url, names, open })) frames.push(frame);
  return frames;
}

/** The frames as the HTML standard states them, 9.2.6. At the very end a CR alone may be half of a CRLF, so it ends no line. */
function stated(input: Buffer): SseFrame[] {
  const frames: SseFrame[] = [];
  let [event, data] = ['', [] as string[]];
  const lines = input
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r(?!$)/);
  for (const line of lines.slice(0, -1)) {
    if (line === '') {
      const name = event === '' ? 'message' : event;
      if (data.length > 0 && names.includes(name)) frames.push({ event: name, data: data.join('\n') });
      [event, data] = ['', []];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return frames;
}

/** Streams of server-sent events, as the client reads them. */
export const sse: FuzzTarget = {
  name: 'sse',
  maxBytes: 256 * 1024,
  parse: (input) => read(input, 16_384),
  async check(input) {
    const text = input.toString('utf8');
    if (text.startsWith(encodedTwice)) return; // the package takes it for a BOM
    if (/\r[^\r\n]+$/.test(text)) return; // a CR at the end of a piece ends its line only with the next line
    const expected = JSON.stringify(stated(input));
    for (const pieceBytes of [input.length + 1, 3]) {
      const found = JSON.stringify(await read(input, pieceBytes));
      hold(found === expected, 'The client reads what the standard states.', found, expected);
    }
  },
  seeds: [
    'id: 1\ndata: {"type":"message.created"}\n\n',
    ': heartbeat\nevent: gap\ndata: {"lastEventId":"a"}\n\n',
    'data: a\r\ndata:b\r\n\r\nevent:closed\rdata\r\r',
    '\ufeffdata: \u{1f600}\n\nretry: 5\n\n',
  ],
  words: [
    '\n',
    '\r',
    '\n\n',
    '\r\n',
    'data',
    'data: ',
    'event: ',
    'id: ',
    ':',
    ' ',
    '\ufeff',
    '\u0000',
    'gap',
    'closed',
    'retry: 1',
  ],
};
