/**
 * The client of a transaction. Statements that are written out run on the connection; Prisma joins the
 * transaction when something else is first asked of it, and leaves before the transaction ends.
 */
import type { Prisma, PrismaClient } from './generated/sqlite/client.js';
import type { OpenTransaction, TransactionLimits } from './open-transaction.js';
import { writtenOut } from './written-out.js';

type PrismaTransaction = Prisma.TransactionClient;
type ClientMethod = (...values: unknown[]) => Promise<unknown>;

/** An object whose further members are made when they are asked for. */
const named = (own: Readonly<Record<string, unknown>>, member: (name: string) => unknown): unknown =>
  new Proxy(own, { get: (_, name) => (typeof name === 'string' ? (own[name] ?? member(name)) : undefined) });

export class JoiningClient {
  private joined: Promise<PrismaTransaction> | null = null;
  private prismas: Promise<void> | null = null;
  private leaveNow: () => void = () => {};
  readonly tx: PrismaTransaction;

  constructor(
    private readonly writer: PrismaClient,
    private readonly transaction: Pick<OpenTransaction, 'statements' | 'requireOpen' | 'join'>,
    private readonly limits: TransactionLimits,
  ) {
    this.tx = named(writtenOut(transaction.statements), (name) => this.part(name)) as PrismaTransaction;
  }

  /** Ends Prisma's part. Throws what has ended it before. */
  async leave(): Promise<void> {
    this.leaveNow();
    await this.prismas;
  }

  /** A model of Prisma's client, or a method of the client itself. */
  private part(name: string): unknown {
    if (name.startsWith('$')) return this.method((client) => [client, name]);
    return named({}, (method) => this.method((client) => [Reflect.get(client, name), method]));
  }

  private method(of: (client: PrismaTransaction) => readonly [owner: object, method: string]): ClientMethod {
    return async (...values) => {
      this.transaction.requireOpen();
      const client = await this.join();
      this.transaction.requireOpen(); // it may have ended meanwhile, and Prisma have joined the next one
      const [owner, method] = of(client);
      return Reflect.get(owner, method).apply(owner, values);
    };
  }

  private join(): Promise<PrismaTransaction> {
    this.joined ??= new Promise((resolve, reject) => {
      const left = new Promise<void>((leave) => {
        this.leaveNow = leave;
      });
      const part = async (client: PrismaTransaction) => {
        resolve(client);
        await left;
      };
      this.prismas = this.transaction.join(() => this.writer.$transaction(part, this.limits));
      this.prismas.catch(reject);
    });
    return this.joined;
  }
}
