/** Traces over OTLP: a receiver of its own takes what the daemon sends, as a collector would. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadSettings } from '../../../daemon/platform/config/load.js';
import { Metrics } from '../../../daemon/platform/observability/metrics.js';
import { startTracing } from '../../../daemon/platform/observability/tracing.js';
import { routes } from '../../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { startReceiver } from '../../support/receiver.js';

const Attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string(), intValue: z.number() }).partial(),
});
const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              ...{ traceId: z.string(), name: z.string(), kind: z.number(), parentSpanId: z.string().optional() },
              attributes: z.array(Attribute),
            }),
          ),
        }),
      ),
    }),
  ),
});

describe('with EARSHOT_OTLP_URL', { timeout: 60_000 }, () => {
  const received: z.infer<typeof Sent>[] = [];
  const asked: unknown[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await json(request);
    asked.push([request.url, request.headers.authorization, request.headers['x-scope']]);
    received.push(Sent.parse(body));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const spans = () =>
    received.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
    );
  let daemon: TestDaemon;
  beforeAll(async () => {
    const port = await freePort();
    await once(receiver.listen(port, '127.0.0.1'), 'listening');
    const settings = {
      EARSHOT_OTLP_URL: `http://127.0.0.1:${port}/`,
      EARSHOT_OTLP_HEADERS: 'Authorization=Basic abc=, X-Scope = studio',
      EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    daemon = await startDaemon({ settings });
  });
  afterAll(async () => {
    await daemon.stop();
    receiver.close();
  });

  it('an answer is a span in the trace of its caller, without the path that was asked for', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const url = `${daemon.url}/api/projects/${daemon.projectId}/participants`;
    const headers = { 'X-API-Key': daemon.apiKey, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const answer = await fetch(url, { headers });
    await answer.text();
    const span = await eventually(() => {
      const found = spans().find((one) => one.traceId === traceId);
      expect(found).toBeDefined();
      return found;
    });
    expect(span).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 });
    expect(span?.name).toBe(`GET ${routes.participants.list.path}`);
    expect(span?.attributes).toContainEqual({
      key: 'earshot.request_id',
      value: { stringValue: answer.headers.get('x-request-id') },
    });
    expect(JSON.stringify(span)).not.toContain(daemon.projectId);
    expect(asked[0]).toEqual(['/v1/traces', 'Basic abc=', 'studio']);
  });

  it('a header that is none, or of a caller that is not sampled, is taken as that', async () => {
    const url = `${daemon.url}/api/projects/${daemon.projectId}/participants`;
    for (const traceparent of ['nonsense', '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'])
      await (
        await fetch(url, { headers: { 'X-API-Key': daemon.apiKey, traceparent, 'X-Request-Id': `of-${traceparent}` } })
      ).text();
    await eventually(() => expect(JSON.stringify(spans())).toContain('of-nonsense'));
    expect(JSON.stringify(spans())).not.toContain('5bf92f35');
  });

  it('an attempt at a webhook is one', async () => {
    const hook = await startReceiver();
    const params = { projectId: daemon.projectId };
    const body = { url: hook.url, secret: 'a long secret', events: ['participant.*'] };
    await daemon.client.call(routes.webhooks.create, { params, body });
    await daemon.client.call(routes.participants.create, { params, body: { externalUserId: 'ann' } });
    await hook.waitFor(1);
    await eventually(() => expect(spans().map(({ name }) => name)).toContain('webhook attempt'));
    await hook.stop();
    const [one] = received;
    expect(JSON.stringify(one?.resourceSpans[0]?.resource)).toContain('earshotd');
  });
});

it('a receiver that takes no spans is told of once, and once more when it does', { timeout: 60_000 }, async () => {
  let status = 400;
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}'));
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const lines: string[] = [];
  const log = (_: unknown, text: string) => void lines.push(text);
  const metrics = new Metrics('1');
  const { settings } = loadSettings({ environment: {} });
  const tracing = startTracing(url, { settings, metrics, logger: { info: log, error: log } as never });
  const measured = metrics.histogram('plugin_run_duration_seconds', 'Runs', []);
  for (const next of [400, 400, 200]) {
    status = next;
    measured.observe({}, 0.1);
    await tracing.flush();
  }
  expect(lines).toEqual(['traces cannot be sent', 'traces can be sent again']);
  await tracing.stop();
  receiver.close();
});

it('a receiver that takes a request and never answers does not hold up the stop', { timeout: 60_000 }, async () => {
  const receiver = createServer(() => {});
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const metrics = new Metrics('1');
  const { settings } = loadSettings({ environment: {} });
  const tracing = startTracing(url, { settings, metrics, logger: { info() {}, error() {} } as never });
  metrics.histogram('plugin_run_duration_seconds', 'Runs', []).observe({}, 0.1);
  const began = performance.now();
  await tracing.stop();
  expect(performance.now() - began).toBeLessThan(5_000);
  receiver.close();
  receiver.closeAllConnections();
});
