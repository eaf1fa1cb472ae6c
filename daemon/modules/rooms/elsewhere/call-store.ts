/** Rows of calls between daemons. They are no part of the request that makes the call: nothing is done yet when one is stored. */
import { jsonOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { outside } from '../../../platform/database/request-record.js';
import type { Clock } from '../../../platform/time/clock.js';

export interface OpenCall {
  readonly id: string;
  readonly method: string;
  readonly request: unknown;
}

const openMax = 200;

export class RoomCallStore {
  readonly version: () => number | null;

  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {
    this.version = database.version;
  }

  add = ({ id, method, request }: OpenCall): Promise<unknown> =>
    this.store((tx) =>
      tx.roomCall.create({
        data: { id, method, request: JSON.stringify(request), answer: null, createdAt: this.now() },
      }),
    );

  /** Calls without an answer, the oldest first. */
  async open(): Promise<OpenCall[]> {
    const rows = await this.database.read.roomCall.findMany({
      where: { answer: null },
      orderBy: { createdAt: 'asc' },
      select: { id: true, method: true, request: true },
      take: openMax,
    });
    return rows.map(({ request, ...call }) => ({ ...call, request: jsonOrNull(request) }));
  }

  answer = (id: string, answer: unknown): Promise<unknown> =>
    this.store((tx) => tx.roomCall.updateMany({ where: { id }, data: { answer: JSON.stringify(answer) } }));

  /** null: there is none yet. */
  answerOf = async (id: string): Promise<unknown> =>
    jsonOrNull(
      (await this.database.read.roomCall.findUnique({ where: { id }, select: { answer: true } }))?.answer ?? null,
    );

  remove = (id: string): Promise<unknown> => this.store((tx) => tx.roomCall.deleteMany({ where: { id } }));

  private store = (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> =>
    outside(() => this.database.transaction(work));
}
