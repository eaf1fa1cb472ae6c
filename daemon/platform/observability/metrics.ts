/**
 * Metrics that Prometheus reads at /metrics. Labels take values from closed lists, so that nobody outside can add a
 * series.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  register as processRegistry,
  Registry,
} from 'prom-client';

/** Who answered: the path as the contract writes it and its group of operations, or `other`. */
export interface AnsweringRoute {
  readonly path: string;
  readonly group: string;
}

/** An answer of the HTTP server. */
export interface Answered {
  readonly method: string;
  readonly route: AnsweringRoute;
  /** `aborted` where the client disconnected before the answer. */
  readonly status: string;
  /** null for streams, which last as long as they are read. */
  readonly seconds: number | null;
  readonly requestId: string;
  /** Header of W3C Trace Context that the request came with. */
  readonly traceparent: string | undefined;
}

/** Is told of what took a while, beside answers. */
type TimedListener = (
  name: string,
  labels: Readonly<Partial<Record<string, string | number>>>,
  seconds: number,
) => void;

export const otherRoute: AnsweringRoute = { path: 'other', group: 'other' };

/** The figures are collected once in this time, however many ask. */
const freshMs = 1_000;
/** Seconds; answers take milliseconds, and few buckets keep the page small. */
const durationBuckets = [0.01, 0.05, 0.25, 1, 5];
const prefix = 'earshot_';
/** Gauges of prom-client with names of counters; each is the sum of another one by type. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * Returns the metrics of this process, under the names that dashboards for Node expect. prom-client never stops observing
 * the process, so all daemons of one share them: each would observe on, and stay in memory, after its end.
 */
function processMetrics(): readonly Metric[] {
  // Waking up every 10 ms, as by default, would be most of what an idle daemon does.
  if (processRegistry.getMetricsAsArray().length === 0) collectDefaultMetrics({ eventLoopMonitoringPrecision: 100 });
  return processRegistry
    .getMetricsAsArray()
    .filter(({ name }) => !misnamed.includes(name))
    .flatMap(({ name }) => processRegistry.getSingleMetric(name) ?? []);
}

/** A metric that is read at each scrape; when reading fails it is left out. */
export type ScrapedMetric = {
  readonly name: string;
  readonly help: string;
  /** A counter may restart with its source; `_total` is added to its name. Left out: a gauge. */
  readonly type?: 'gauge' | 'counter';
} & (OneFigure | LabelledFigures);

interface OneFigure {
  readonly label?: undefined;
  read(): Promise<number> | number;
}

/** One for each value of the label. */
interface LabelledFigures {
  readonly label: string;
  read(): Promise<Figures> | Figures;
}

type Figures = Readonly<Record<string, number>>;

/** A duration that the caller measures. */
export interface MeasuredSeconds<Label extends string> {
  observe(labels: Partial<Record<Label, string | number>>, seconds: number): void;
}

export class Metrics {
  private readonly registry = new Registry();
  private readonly requests;
  private readonly durations;
  private readonly events;
  private readonly unreadable;
  private collected: { readonly text: Promise<string>; readonly atMs: number } | null = null;
  private readonly listeners: ((answer: Answered) => void)[] = [];
  private timed: TimedListener | null = null;

  constructor(version: string) {
    const registers = [this.registry];
    this.registry.setDefaultLabels({ version });
    for (const metric of processMetrics()) this.registry.registerMetric(metric);
    this.requests = new Counter({
      name: `${prefix}http_requests_total`,
      help: 'Requests by group of operations and status; those that are refused without a valid credential have the group `other`',
      labelNames: ['method', 'group', 'status'] as const,
      registers,
    });
    this.durations = new Histogram({
      name: `${prefix}http_request_duration_seconds`,
      help: 'Time from the head of a request to the end of its answer, without streams',
      labelNames: ['method', 'group'] as const,
      buckets: durationBuckets,
      registers,
    });
    this.events = new Counter({
      name: `${prefix}events_appended_total`,
      help: 'Domain events that this daemon has stored; those of other services have the type `ingested`',
      labelNames: ['type'] as const,
      registers,
    });
    this.unreadable = new Counter({
      name: `${prefix}events_unreadable_total`,
      help: 'Domain events in the log that could not be read or processed, each counted once; they are skipped',
      registers,
    });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** The figures of this second. */
  text(): Promise<string> {
    const now = performance.now();
    if (this.collected === null || now - this.collected.atMs >= freshMs)
      this.collected = { text: this.registry.metrics(), atMs: now };
    return this.collected.text;
  }

  /** Also called for each answer. */
  onAnswered(listener: (answer: Answered) => void): void {
    this.listeners.push(listener);
  }

  /** Also called for each duration that a caller measures. */
  onTimed(listener: TimedListener): void {
    this.timed = listener;
  }

  answered(answer: Answered): void {
    const { method, status, seconds } = answer;
    for (const listener of this.listeners) listener(answer);
    const { group } = status === '401' ? otherRoute : answer.route;
    this.requests.inc({ method, group, status });
    if (seconds !== null) this.durations.observe({ method, group }, seconds);
  }

  appended(type: string, count: number): void {
    this.events.inc({ type }, count);
  }

  passedOver(): void {
    this.unreadable.inc();
  }

  /** Increased by the caller; `_total` is added to its name. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Pick<Counter<Label>, 'inc'> {
    return new Counter({
      name: `${prefix}${name}_total`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  /** Measured by the caller, in seconds. */
  histogram<Label extends string>(name: string, help: string, labelNames: readonly Label[]): MeasuredSeconds<Label> {
    const made = new Histogram({ name: prefix + name, help, labelNames: [...labelNames], registers: [this.registry] });
    const what = name.replace(/_(duration|delay)_seconds$/, '').replaceAll('_', ' ');
    return {
      observe: (labels, seconds) => {
        made.observe(labels, seconds);
        this.timed?.(what, labels, seconds);
      },
    };
  }

  scrape({ name, help, type = 'gauge', ...source }: ScrapedMetric): void {
    const isGauge = type === 'gauge';
    const metric: Gauge | Counter = new (isGauge ? Gauge : Counter)({
      name: prefix + (isGauge ? name : `${name}_total`),
      help,
      registers: [this.registry],
      labelNames: source.label === undefined ? [] : [source.label],
      collect: () => (source.label === undefined ? refill(metric, source.read) : refillAll(metric, source)),
    });
  }
}

/** Methods that both kinds of metrics have. From zero, a counter is set by counting up, and so is a gauge. */
type Refilled = Pick<Gauge, 'reset' | 'remove'> & {
  inc(value: number): void;
  inc(labels: Record<string, string>, value: number): void;
};

async function refill(figure: Refilled, read: () => Promise<number> | number): Promise<void> {
  try {
    const value = await read();
    figure.reset();
    figure.inc(value);
  } catch {
    figure.remove(); // its source is not available
  }
}

async function refillAll(figure: Refilled, { label, read }: LabelledFigures): Promise<void> {
  const figures = await Promise.resolve()
    .then(read)
    .catch(() => ({}));
  figure.reset();
  for (const [value, one] of Object.entries(figures)) figure.inc({ [label]: value }, one);
}
