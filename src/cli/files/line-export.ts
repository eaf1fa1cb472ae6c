/** Fetches an export answer by answer: rows as lines of JSON, and in the last line where to go on. */
import { askedWaitMs, sleep, waitMs } from '../../client/back-off.js';
import { ApiError, DaemonUnreachable } from '../../client/errors.js';
import { ExportEnd } from '../../contract/common.js';
import { CutOff, linesOf } from './ndjson.js';

const failuresMax = 8;

/** Rows of one answer. */
export const rowsAtOnce = 50_000;

/** A row with its line as the daemon wrote it. */
export interface ExportedRow<T> {
  readonly line: string;
  readonly row: T;
}

interface LineExport<T> {
  open(after: string | undefined): Promise<{ readonly body: ReadableStream<Uint8Array> | null }>;
  /** Throws for a line that is no row. */
  read(line: unknown): T;
  /** Returns the position from which an answer that was cut off after this row continues. */
  placeOf(row: T): string;
  /** Called in words when an answer was lost or refused for now, once until rows come again. */
  trouble(line: string): void;
}

/** Everything there is, an array at a time; ends at the signal. Throws ApiError, DaemonUnreachable, CutOff. */
export async function* exportedRows<T>(
  of: LineExport<T>,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ExportedRow<T>[], void> {
  let behind = after;
  let wasReached = false;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const answer = await of.open(behind);
      wasReached = true;
      for await (const { rows, next } of partsOf(of, answer)) {
        failures = 0;
        const last = rows.at(-1);
        if (last !== undefined) {
          behind = of.placeOf(last.row);
          yield rows;
        }
        if (next === null) return;
        if (next !== undefined) behind = next;
      }
    } catch (error) {
      if (signal.aborted) return; // what is thrown then follows from that
      failures += 1;
      const mayPass =
        error instanceof ApiError
          ? error.isPassing
          : wasReached && (error instanceof DaemonUnreachable || error instanceof CutOff);
      if (!mayPass || failures > failuresMax) throw error;
      if (failures === 1)
        of.trouble(
          `${error instanceof ApiError ? error.message : 'The connection is lost.'} Trying again for two minutes.`,
        );
      const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
      await sleep(asked === null ? waitMs(failures - 1) : askedWaitMs(0, asked), signal);
    }
  }
}

interface ExportPart<T> {
  readonly rows: ExportedRow<T>[];
  /** Cursor to continue from, in the last part; null: nothing follows. */
  readonly next?: string | null;
}

async function* partsOf<T>(
  of: LineExport<T>,
  { body }: Awaited<ReturnType<LineExport<T>['open']>>,
): AsyncGenerator<ExportPart<T>, void> {
  for await (const lines of linesOf(body)) {
    const rows: ExportedRow<T>[] = [];
    for (const line of lines) {
      const read: unknown = JSON.parse(line);
      const end = ExportEnd.safeParse(read);
      if (end.success) return yield { rows, next: end.data.next };
      rows.push({ line, row: of.read(read) });
    }
    yield { rows };
  }
  throw new CutOff();
}
