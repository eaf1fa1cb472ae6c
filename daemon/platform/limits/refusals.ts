/** How often each limit of this process was reached, for /metrics. */
import type { ScrapedMetric } from '../observability/metrics.js';
import { type LimitName, limits } from './catalogue.js';

const names = Object.keys(limits) as LimitName[];
const refusals = new Map<LimitName, number>();
const waits = new Map<LimitName, number>();

const addTo = (counts: Map<LimitName, number>) => (name: LimitName) =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Counts that something was refused or dropped. */
export const countRefusal = addTo(refusals);
/** How often something was refused or dropped since the start. */
export const refusalsOf = (name: LimitName): number => refusals.get(name) ?? 0;
/** Counts that something had to wait for its turn. */
export const countWait = addTo(waits);

/** Counts work that finds no slot once, however often it is looked at. */
export class WaitCount {
  private waiting: ReadonlySet<string> = new Set();

  constructor(private readonly name: LimitName) {}

  /** @param left work that was due and has to wait, all of it */
  note(left: readonly { readonly id: string }[]): void {
    for (const { id } of left) if (!this.waiting.has(id)) countWait(this.name);
    this.waiting = new Set(left.map(({ id }) => id));
  }
}

const figuresOf = (counts: ReadonlyMap<LimitName, number>, isWait: boolean) => () =>
  Object.fromEntries(
    names.filter((name) => (limits[name].answer === 'waits') === isWait).map((name) => [name, counts.get(name) ?? 0]),
  );

export const limitMetrics: readonly ScrapedMetric[] = [
  {
    name: 'limit_refusals',
    help: 'Refused or dropped since the start, by the limit that was reached',
    type: 'counter',
    label: 'limit',
    read: figuresOf(refusals, false),
  },
  {
    name: 'limit_waits',
    help: 'Waits since the start, by the limit',
    type: 'counter',
    label: 'limit',
    read: figuresOf(waits, true),
  },
];
