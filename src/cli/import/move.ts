/** Carries out an import: each thing that is not there yet is created, and what became of it is counted and mapped. */
import { askedWaitMs, sleep } from '../../client/back-off.js';
import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError } from '../../client/errors.js';
import { ProgressLine } from '../../terminal/progress.js';
import { type ListStep, rowPages } from '../command/row-pages.js';

/** One thing of the source. */
export interface MovedItem {
  /** Its id there. */
  readonly from: string;
  /** What it is called where it is refused or differs. */
  readonly label: string;
  /** Id of what it became in an earlier run, or of what has the same name; null: nothing yet. */
  readonly there: string | null;
  /** Why it is not moved; absent: it is. */
  readonly left?: string | undefined;
  /** Fields that differ in what is there already. */
  readonly differs?: readonly string[];
  /** Returns the id. */
  create(): Promise<string>;
}

export interface MoveCount {
  readonly kind: string;
  readonly found: number;
  created: number;
  there: number;
  left: number;
  refused: number;
}

export interface MovedId {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

const attemptsMax = 10;

/** False for what would refuse everything else as well. */
const isAboutTheThing = ({ status, code }: ApiError): boolean =>
  [400, 404, 409, 422].includes(status) || code === 'participant_banned';

export class ImportRun {
  readonly counts: MoveCount[] = [];
  readonly ids: MovedId[] = [];
  readonly differences: string[] = [];
  private readonly known = new Map<string, string>();
  private readonly progress = new ProgressLine();

  constructor(
    readonly client: EarshotClient,
    readonly projectId: string,
    /** As marks of what was imported name it. */
    readonly source: string,
    readonly isDryRun: boolean,
    readonly signal: AbortSignal,
  ) {}

  get params(): { readonly projectId: string } {
    return { projectId: this.projectId };
  }

  /** All rows of a list here. */
  async all<Answer extends object, Row>(
    fetch: (page: ListStep) => Promise<Answer>,
    rows: (answer: Answer) => readonly Row[],
  ): Promise<Row[]> {
    const all: Row[] = [];
    for await (const page of rowPages(this.client, fetch, rows)) all.push(...page);
    return all;
  }

  /** Stored in what has a field for it, so that a later run finds it. */
  mark(id: string): { readonly importedFrom: string } {
    return { importedFrom: `${this.source}:${id}` };
  }

  /** Returns by the source's ids what bears a mark of this source. */
  marked(rows: readonly { readonly id: string; readonly data: unknown }[]): Map<string, string> {
    const begin = `${this.source}:`;
    return new Map(
      rows.flatMap(({ id, data }) => {
        const mark: unknown = Reflect.get(Object(data), 'importedFrom');
        return typeof mark === 'string' && mark.startsWith(begin) ? [[mark.slice(begin.length), id]] : [];
      }),
    );
  }

  /** The id here of what has this one there; undefined: it was not moved. */
  idOf(kind: string, from: string): string | undefined {
    return this.known.get(`${kind} ${from}`);
  }

  map(kind: string, from: string, to: string): void {
    this.known.set(`${kind} ${from}`, to);
    this.ids.push({ kind, from, to });
  }

  differs(text: string): void {
    this.differences.push(text);
  }

  /** Creates what is not there, one after the other, until the signal. A refused thing does not stop the others. */
  async carry(kind: string, items: readonly MovedItem[]): Promise<void> {
    const count: MoveCount = { kind, found: items.length, created: 0, there: 0, left: 0, refused: 0 };
    this.counts.push(count);
    try {
      for (const [index, item] of items.entries()) {
        if (this.signal.aborted) return;
        this.progress.show(index, items.length, `${index} of ${items.length} ${kind}`);
        await this.carryOne(kind, count, item);
      }
    } finally {
      this.progress.clear();
    }
  }

  private async carryOne(kind: string, count: MoveCount, item: MovedItem): Promise<void> {
    if (item.there !== null) {
      count.there += 1;
      this.map(kind, item.from, item.there);
      for (const field of item.differs ?? []) this.differs(`${kind} ${item.label}: ${field}`);
      return;
    }
    if (item.left !== undefined) {
      count.left += 1;
      this.differs(`${kind} ${item.label}: ${item.left}`);
      return;
    }
    if (this.isDryRun) {
      count.created += 1;
      return;
    }
    try {
      this.map(kind, item.from, await this.patiently(() => item.create()));
      count.created += 1;
    } catch (error) {
      if (!(error instanceof ApiError) || !isAboutTheThing(error)) throw error;
      count.refused += 1;
      this.differs(
        `${kind} ${item.label}: ${[error.message, ...error.details.map((one) => `${one.path} ${one.message}`)].join(' ')}`,
      );
    }
  }

  /** Waits where the daemon asks for it. */
  private async patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429 || attempt >= attemptsMax) throw error;
        await sleep(askedWaitMs(1_000, error.retryAfterSeconds ?? 1), this.signal);
      }
    }
  }
}
