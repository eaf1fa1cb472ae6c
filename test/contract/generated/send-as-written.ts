/** Sends a request whose path stays as it is written: `fetch` resolves the segments `.` and `..` of a URL itself. */
import { Agent, type IncomingMessage, request } from 'node:http';

interface WrittenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly timeoutMs: number;
}

const agent = new Agent({ keepAlive: false });

export function sendAsWritten(
  baseUrl: string,
  { method, path, headers, body, timeoutMs }: WrittenRequest,
): Promise<Response> {
  const { hostname, port } = new URL(baseUrl);
  const length = body === null ? {} : { 'Content-Length': String(body.length) };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers: { ...headers, ...length } }, (answer) => {
      const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
      (isStream ? Promise.resolve(Buffer.alloc(0)) : wholeOf(answer)).then((bytes) => {
        if (isStream) answer.destroy();
        resolve(responseOf(answer, bytes));
      }, reject);
    });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer to ${method} ${path.slice(0, 200)}`)));
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
}

async function wholeOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const bodiless = new Set([204, 304]);
function responseOf({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Response {
  const all = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  return new Response(bodiless.has(statusCode) ? null : new Uint8Array(bytes), { status: statusCode, headers: all });
}
