/**
 * A SQLite file that one program works on and then removes. One transaction stays open for all of its work; the
 * transactions of callers are savepoints in it, and reads of committed rows read the rows as they are. So nothing waits
 * for a disk, and Prisma does no work around transactions.
 */
import { Lock } from '../turns/lock.js';
import { Database, onConnection, type Reader, type Transaction } from './database.js';
import { plainQueryCompiler } from './query-compiler.js';
import type { RunStatements } from './safe-sqlite.js';
import { Pauses } from './slices.js';

export class ThrownAwayDatabase extends Database {
  private readonly lock = new Lock('database_writes');
  private readonly pauses = new Pauses();
  private readonly statements: RunStatements;
  private readonly client: Transaction & Reader;

  private constructor(path: string, ...[client, adapter]: Awaited<ReturnType<typeof connected>>) {
    super('sqlite', `file:${path}`, client, client, adapter);
    this.statements = adapter.onConnection();
    this.client = onConnection(client, this.statements);
  }

  /** The schema must exist: run `migrate` first. */
  static override async connect(path: string): Promise<ThrownAwayDatabase> {
    const database = new ThrownAwayDatabase(path, ...(await connected(path)));
    database.statements.execute('BEGIN', []);
    return database;
  }

  override get read(): Reader {
    return this.client;
  }

  protected override begin<T>(work: (tx: Transaction, statements: RunStatements) => Promise<T>): Promise<T> {
    return this.lock.run(async () => {
      await this.pauses.next();
      this.statements.execute('SAVEPOINT work', []);
      try {
        const result = await work(this.client, this.statements);
        this.statements.execute('RELEASE work', []);
        return result;
      } catch (error) {
        this.statements.execute('ROLLBACK TO work', []);
        this.statements.execute('RELEASE work', []);
        throw error;
      }
    });
  }
}

async function connected(path: string) {
  plainQueryCompiler();
  const { PrismaClient } = await import('./generated/sqlite/client.js');
  const { safeSqlite } = await import('./safe-sqlite.js');
  const adapter = safeSqlite(path, true);
  const client = new PrismaClient({ adapter });
  await client.$connect();
  return [client, adapter] as const;
}
