import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SseFrame, sseFrames } from '../../src/client/sse-frames.js';
import { eventually } from '../support/eventually.js';

let server: Server;
let answer: (response: ServerResponse) => unknown = () => {};
let left = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    response.on('close', () => {
      left += 1;
    });
    void answer(response);
  }).listen(0, '127.0.0.1');
  await eventually(() => expect(server.listening).toBe(true));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const frames = (names = ['message', 'other'], open = (signal: AbortSignal) => fetch(url(), { signal })) =>
  sseFrames({ url: url(), names, open });
const serve = (write: (response: ServerResponse) => unknown, type = 'text/event-stream') => {
  left = 0;
  answer = (response) => {
    response.writeHead(200, { 'Content-Type': type });
    return write(response);
  };
};
async function all(): Promise<SseFrame[]> {
  const taken: SseFrame[] = [];
  for await (const frame of frames()) taken.push(frame);
  return taken;
}

describe('frames of server-sent events', () => {
  it('are the same wherever the bytes were cut, with comments and unknown names between them', async () => {
    const data = fc.array(
      fc.string({ unit: 'grapheme' }).filter((line) => !/[\r\n]/.test(line)),
      { minLength: 1 },
    );
    const frame = fc.record({
      event: fc.constantFrom('message', 'other'),
      data: data.map((lines) => lines.join('\n')),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 6 }), fc.infiniteStream(fc.nat(40)), async (sent, cuts) => {
        const text = sent.map((one) => {
          const lines = one.data.split('\n').map((line) => `data: ${line}\n`);
          return `: heartbeat\n\nevent: unknown\ndata: {}\n\nevent: ${one.event}\n${lines.join('')}\n`;
        });
        serve(async (response) => {
          for (let bytes = Buffer.from(text.join('')); bytes.length > 0; ) {
            const cut = 1 + (cuts.next().value ?? 0);
            await new Promise((written) => response.write(bytes.subarray(0, cut), written));
            bytes = bytes.subarray(cut);
          }
          response.end();
        });
        expect(await all()).toEqual(sent);
      }),
      { numRuns: 25 },
    );
  });

  it('end the connection when the reader leaves', async () => {
    serve((response) => response.write('data: 1\n\ndata: 2\n\n'));
    for await (const { data } of frames()) {
      expect(data).toBe('1');
      break;
    }
    await eventually(() => expect(left).toBe(1));
  });

  it('make a daemon wait whose reader is slow', async () => {
    let sent = 0;
    const frame = `data: ${'x'.repeat(65_536)}\n\n`;
    serve((response) => {
      const send = () => {
        while (!response.destroyed && response.write(frame)) sent += 1;
        sent += 1;
      };
      response.on('drain', send);
      send();
    });
    const reader = frames();
    await reader.next();
    let before = -1;
    await eventually(() => {
      const now = sent;
      const grew = now !== before;
      before = now;
      expect(grew).toBe(false);
    });
    const stuckAt = sent;
    for (let taken = 0; taken < stuckAt + 1; taken += 1) await reader.next();
    expect(sent).toBeGreaterThan(stuckAt);
    await reader.return();
    await eventually(() => expect(left).toBe(1));
  });

  it('are asked for once: nothing connects again by itself', async () => {
    let asked = 0;
    serve((response) => {
      asked += 1;
      response.end('retry: 1\n\ndata: 1\n\n');
    });
    expect(await all()).toEqual([{ event: 'message', data: '1' }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toBe(1);
  });

  it('end when they are closed, whatever becomes of the answer', async () => {
    serve((response) => response.write('data: 1\n\n'));
    const closing = new AbortController();
    const open = () => fetch(url()); // not ended by anything
    const taken = sseFrames({ url: url(), names: ['message'], open, closing: closing.signal });
    expect((await taken.next()).value).toEqual({ event: 'message', data: '1' });
    const next = taken.next();
    closing.abort();
    expect((await next).done).toBe(true);
  });

  it('end with what the opening threw', async () => {
    const refusal = new Error('refused');
    await expect(frames(['message'], () => Promise.reject(refusal)).next()).rejects.toBe(refusal);
    const aborted = AbortSignal.abort();
    await expect(frames(['message'], () => fetch(url(), { signal: aborted })).next()).rejects.toBe(aborted.reason);
  });

  it('throw when the answer is cut, or is no event stream; the connection is ended', async () => {
    serve((response) => {
      response.write('data: 1\n\n');
      setImmediate(() => response.destroy());
    });
    await expect(all()).rejects.toThrow();
    serve((response) => response.write('<html>'), 'text/html');
    await expect(all()).rejects.toThrow('text/event-stream');
    await eventually(() => expect(left).toBe(1));
  });
});
