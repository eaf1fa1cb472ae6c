/**
 * Traces over OTLP/HTTP, where EARSHOT_OTLP_URL is set: a span for each answer, in the trace of its caller (`traceparent` of W3C
 * Trace Context), and one for each attempt at a webhook, recognised utterance and run of a plugin. The SDK is loaded only then.
 */
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Settings } from '../config/schema.js';
import { Deadline } from '../lifecycle/deadline.js';
import { systemClock } from '../time/clock.js';
import { version } from '../version.js';
import { TroubleReport } from './condition.js';
import type { Logger } from './logger.js';
import type { Answered, Metrics } from './metrics.js';

/** Version, trace, parent span and flags; later versions may add fields. */
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The context of the caller's span; without a valid header the span begins a trace of its own. */
function contextOf(header: string | undefined) {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.exec(header ?? '') ?? [];
  if (traceId === '') return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

const serverErrorMin = 500;
/** For the last spans: a receiver that hangs would take the time that other parts have to stop. */
const lastSpansMs = 1_000;

interface TracingNeeds {
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, 'error' | 'info'>;
}

interface Tracing {
  /** Sends what waits. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Spans that the receiver does not take are dropped. */
export function startTracing(url: string, { settings, metrics, logger }: TracingNeeds): Tracing {
  const trouble = new TroubleReport(logger, { begins: 'traces cannot be sent', ends: 'traces can be sent again' });
  const headers = Object.fromEntries(
    (settings.EARSHOT_OTLP_HEADERS?.reveal() ?? '').split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
    }),
  );
  const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/$/, '')}/v1/traces`, headers });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'earshotd', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.EARSHOT_TRACE_PERCENT / 100) }),
    spanProcessors: [
      new BatchSpanProcessor({
        export: (spans, done) =>
          exporter.export(spans, (result) => {
            trouble.set(result.error === undefined ? null : { problem: result.error.message });
            done(result);
          }),
        shutdown: () => exporter.shutdown(),
      }),
    ],
  });
  const tracer = provider.getTracer('earshotd', version);
  const span = (name: string, seconds: number, kind: SpanKind, attributes: Attributes, parent = ROOT_CONTEXT) => {
    const endTime = systemClock().getTime();
    return [
      tracer.startSpan(name, { kind, attributes, startTime: endTime - seconds * 1_000 }, parent),
      endTime,
    ] as const;
  };
  metrics.onAnswered(({ method, route, status, seconds, requestId, traceparent: header }: Answered) => {
    if (seconds === null) return; // a stream lasts as long as it is read
    const attributes = {
      ...{ 'http.request.method': method, 'http.route': route.path, 'earshot.request_id': requestId },
      ...(status === 'aborted' ? { 'error.type': 'aborted' } : { 'http.response.status_code': Number(status) }),
    };
    const [made, endTime] = span(`${method} ${route.path}`, seconds, SpanKind.SERVER, attributes, contextOf(header));
    if (Number(status) >= serverErrorMin) made.setStatus({ code: SpanStatusCode.ERROR });
    made.end(endTime);
  });
  metrics.onTimed((name, labels, seconds) => {
    const attributes = Object.fromEntries(Object.entries(labels).map(([label, value]) => [`earshot.${label}`, value]));
    const [made, endTime] = span(name, seconds, SpanKind.INTERNAL, attributes);
    made.end(endTime);
  });
  return {
    flush: () => provider.forceFlush().catch(() => {}),
    stop: async () => {
      await new Deadline(lastSpansMs).met(provider.shutdown().catch(() => {}));
    },
  };
}
