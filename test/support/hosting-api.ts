/** A small hosting API as docs/functions.md describes it, on a real port: it keeps what is activated and what was asked. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Asked {
  /** For example `PUT /activations/p1`. */
  readonly call: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Answer to a call in the place of the usual one; the change is made all the same where `done` says so. */
interface Behaviour {
  readonly status?: number;
  readonly body?: string;
  /** Ends the connection in the place of an answer. */
  readonly breaks?: boolean;
  readonly hangs?: boolean;
  readonly done?: boolean;
}

export interface HostingServer {
  readonly url: string;
  readonly asked: Asked[];
  readonly running: Map<string, unknown>;
  token: string;
  behave: (call: string) => Behaviour | null | Promise<Behaviour | null>;
  stop(): Promise<void>;
}

export const resourcePackages = [
  { id: 'small', name: 'Small', cpu: 0.5, memoryMiB: 512, pricePerHour: 0.01 },
  { id: 'large', name: 'Large', cpu: 8, memoryMiB: 16_384, pricePerHour: null },
];
export const locations = [
  { id: 'eu-1', name: 'Frankfurt', region: 'Europe', available: true },
  { id: 'us-1', name: 'Ohio', region: 'North America', available: false },
];

export async function startHostingApi(): Promise<HostingServer> {
  const asked: Asked[] = [];
  const running = new Map<string, unknown>();
  const usual = (call: string, body: string): { status: number; answer: unknown } => {
    const projectId = decodeURIComponent(call.split('/')[2] ?? '');
    if (call === 'GET /account') return { status: 200, answer: { name: 'Studio North' } };
    if (call === 'GET /resource-packages') return { status: 200, answer: resourcePackages };
    if (call === 'GET /locations') return { status: 200, answer: locations };
    if (call.startsWith('PUT')) {
      running.set(projectId, JSON.parse(body));
      return { status: 200, answer: { projectId, status: 'active' } };
    }
    return { status: running.delete(projectId) ? 204 : 404, answer: undefined };
  };
  const server = http.createServer(async (request, response) => {
    const body = await text(request);
    const call = `${request.method} ${request.url}`;
    asked.push({ call, authorization: request.headers.authorization, body });
    const { status, body: said, breaks, hangs, done } = (await hosting.behave(call)) ?? { done: true };
    if (request.headers.authorization !== `Bearer ${hosting.token}`) {
      response.writeHead(401).end(JSON.stringify({ message: `nobody has ${request.headers.authorization}` }));
      return;
    }
    const { status: usualStatus, answer } = done === true ? usual(call, body) : { status: 200, answer: undefined };
    if (hangs === true) return;
    if (breaks === true) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status ?? usualStatus).end(said ?? (answer === undefined ? '' : JSON.stringify(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hosting: HostingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ asked, running },
    token: 'token-of-the-hosting-api',
    behave: () => null,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return hosting;
}
