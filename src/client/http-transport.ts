/**
 * Sends requests by `node:http`, for programs of Node.js that live shorter than `fetch` takes to load. The globals of
 * `fetch` (Response, Headers) load all of it as well, so none is named here.
 */
import { type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { InvalidRequest } from './invalid-request.js';
import type { Answer, Transport, TransportRequest } from './transport.js';

/** One connection for each request: none is left open that keeps a program from ending. */
export const byHttp: Transport = async (url, request) => answerOf(await send(url, request), url);

async function send(url: URL, { method, headers, body, signal }: TransportRequest): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest;
  const options: RequestOptions = { method, headers, agent: false, ...(signal === undefined ? {} : { signal }) };
  return new Promise((resolve, reject) => {
    requestOf(() => request(url, options, resolve), url, headers)
      .on('error', reject)
      .end(body);
  });
}

function requestOf(make: () => ClientRequest, url: URL, headers: TransportRequest['headers']): ClientRequest {
  try {
    return make();
  } catch (cause) {
    throw new InvalidRequest(url, headers, cause);
  }
}

function answerOf(incoming: IncomingMessage, url: URL): Answer {
  incoming.on('error', () => {}); // the reader of the body gets the error; without a reader it is ignored
  let body: Answer['body'] = null;
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = incoming;
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    url: url.href,
    redirected: false,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    get body() {
      body ??= Readable.toWeb(incoming);
      return body;
    },
    text: async () => new TextDecoder().decode(await bytesOf(incoming)),
    arrayBuffer: async () => new Uint8Array(await bytesOf(incoming)).buffer,
  };
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}
