/** Work during which the daemon crashed twice: it waits until somebody resumes it, and the operator sees how much there is. */
import { z } from 'zod';
import { type AdminHandler, handlerOf } from './admin-operation.js';
import type { ScrapedMetric } from './observability/metrics.js';

export const setAsideReason = 'set aside: the daemon crashed twice during it';

/** One kind of work that a module sets aside. */
interface SetAsideKind {
  /** A label of the metric. */
  readonly kind: string;
  /** Command that resumes it. */
  readonly resume: string;
  count(): Promise<number>;
}

/** Lists how much is set aside, for `earshotd doctor`. */
export const listSetAside = {
  name: 'work.set-aside',
  input: z.object({}),
  output: z.object({ work: z.array(z.object({ kind: z.string(), count: z.int(), resume: z.string() })) }),
};

export const setAsideOperations = (setAside: SetAside): AdminHandler[] => [
  handlerOf(listSetAside, async () => ({ work: await setAside.list() })),
];

export const setAsideMetric = (setAside: SetAside): ScrapedMetric => ({
  name: 'work_set_aside',
  help: 'Jobs that are not retried, because the daemon crashed twice during them',
  label: 'kind',
  read: async () => Object.fromEntries((await setAside.list()).map(({ kind, count }) => [kind, count])),
});

/** Collects the kinds of all modules. */
export class SetAside {
  private readonly kinds: SetAsideKind[] = [];

  add(kind: SetAsideKind): void {
    this.kinds.push(kind);
  }

  list = () => Promise.all(this.kinds.map(async ({ kind, resume, count }) => ({ kind, resume, count: await count() })));
}
