/**
 * Notices that PostgreSQL stands still (a paused machine, a hung disk, a cut network) and cuts the connections of the pool:
 * their statements fail at once instead of never, and nobody waits for new ones until the server answers again.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { every } from '../time/ticks.js';
import { isOfServer } from './errors.js';

const lookMs = 500;
/** After so many looks without a byte from the server it is asked on a connection of its own: a statement may take long. */
const silentLooks = 3;
/**
 * Together less than five seconds, in which a request is answered. Counted in looks, so that a process that stood still
 * itself reads what has come meanwhile.
 */
const unansweredLooks = 4;

class DatabaseStalled extends Error {
  override name = 'DatabaseStalled';
  /** As PostgreSQL says that it does not answer yet. */
  readonly code = '57P03';

  constructor() {
    super('PostgreSQL has not answered for seconds.');
  }
}

interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export class StallWatch {
  private readonly clients = new Set<pg.Client>();
  private probe: pg.Client | null = null;
  private received = 0;
  private silent = 0;
  private isStalled = false;
  private end = (): void => {};

  constructor(private readonly connectionString: string) {}

  /** Class of the pool's connections. */
  readonly Client: typeof pg.Client = ((watch: StallWatch) =>
    class extends pg.Client {
      override connect(): Promise<pg.Client>;
      override connect(callback: (error: Error) => void): void;
      override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
        if (watch.isStalled) {
          if (callback === undefined) return Promise.reject(new DatabaseStalled());
          process.nextTick(callback, new DatabaseStalled());
          return undefined;
        }
        watch.clients.add(this);
        this.once('end', () => watch.clients.delete(this));
        if (callback === undefined) return super.connect();
        super.connect(callback);
        return undefined;
      }
    })(this);

  start(pool: PoolUse): void {
    this.end = every(lookMs, () => this.look(pool));
  }

  stop(): void {
    this.end();
    this.endProbe();
  }

  private look({ totalCount, idleCount, waitingCount }: PoolUse): void {
    const before = this.received;
    this.received = 0;
    for (const { connection } of this.clients) this.received += (connection.stream as Socket).bytesRead;
    const isWaiting = this.isStalled || totalCount > idleCount || waitingCount > 0;
    this.silent = isWaiting && this.received === before ? this.silent + 1 : 0;
    if (this.silent === 0) this.endProbe();
    else if (this.silent % (silentLooks + unansweredLooks) === 0) this.stall();
    else if (this.silent >= silentLooks && this.probe === null) void this.ask();
  }

  private stall(): void {
    this.isStalled = true;
    this.endProbe();
    for (const { connection } of this.clients) connection.stream.destroy();
  }

  private async ask(): Promise<void> {
    const probe = new pg.Client({ connectionString: this.connectionString });
    this.probe = probe;
    probe.on('error', () => {});
    try {
      await probe.connect();
      await probe.query('SELECT 1');
    } catch (error) {
      if (!isOfServer(error)) return; // nobody has answered
    }
    if (this.probe !== probe) return;
    this.isStalled = false;
    this.silent = 0;
    this.endProbe();
  }

  private endProbe(): void {
    this.probe?.connection.stream.destroy();
    this.probe = null;
  }
}
