/** Every path that the daemon serves says by `Allow` which methods it knows, when it is asked by another one or by OPTIONS. */
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { freePort } from '../../support/free-port.js';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];
const Document = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const Operation = z.object({
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).optional() })),
});

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_RATE_LIMIT_ADDRESS: '0' } });
});
afterAll(() => daemon.stop());

interface Answer {
  readonly status: number;
  readonly allow: readonly string[];
}

function ask(url: string, method: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method }, (response) => {
      const { statusCode = 0, headers } = response;
      const allow = (headers.allow ?? '').split(', ').filter((one) => one !== '' && one !== 'OPTIONS');
      resolve({ status: statusCode, allow: allow.sort() });
      response.destroy();
    });
    request.on('error', reject).end();
  });
}

/** Path → the methods that it knows. HEAD goes with GET, but of a stream, which has no end. */
async function served(): Promise<Map<string, string[]>> {
  const { paths } = Document.parse(await (await fetch(`${daemon.url}/api/openapi.json`)).json());
  const known = new Map<string, string[]>([
    ['/assets/icon.svg', ['GET', 'HEAD']],
    ['/mqtt', ['GET']],
  ]);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!methods.includes(method.toUpperCase())) continue;
      const contents = Object.values(Operation.parse(operation).responses).flatMap(({ content }) =>
        Object.keys(content ?? {}),
      );
      const hasHead = method === 'get' && !contents.includes('text/event-stream');
      known.set(path, [...(known.get(path) ?? []), method.toUpperCase(), ...(hasHead ? ['HEAD'] : [])]);
    }
  }
  return known;
}

describe('a method that a path does not know', () => {
  it('is 405 with the methods that it knows, on every path', async () => {
    const wrong: unknown[] = [];
    for (const [path, known] of await served()) {
      const url = daemon.url + path.replaceAll(/\{\w+\}/g, 'x');
      const allow = [...known].sort();
      for (const method of methods.filter((one) => !known.includes(one))) {
        const answer = await ask(url, method);
        if (answer.status !== 405 || `${answer.allow}` !== `${allow}`) wrong.push({ method, path, allow, answer });
      }
      const options = await ask(url, 'OPTIONS');
      if (options.status !== 204 || `${options.allow}` !== `${allow}`)
        wrong.push({ method: 'OPTIONS', path, allow, options });
    }
    expect(wrong).toEqual([]);
  });

  it('is refused by the listener for metrics too', async () => {
    const port = await freePort();
    const apart = await startDaemon({ settings: { EARSHOT_METRICS_PORT: String(port) } });
    const url = `http://127.0.0.1:${port}`;
    expect(await ask(`${url}/metrics`, 'GET')).toMatchObject({ status: 200 });
    for (const path of ['/metrics', '/health/live', '/health/ready'])
      expect(await ask(url + path, 'POST')).toEqual({ status: 405, allow: ['GET', 'HEAD'] });
    await apart.stop();
  });
});
