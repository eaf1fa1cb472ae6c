/** The daemon's side of the control socket. */
import { rmSync } from 'node:fs';
import net, { type Socket } from 'node:net';
import type { AdminHandler } from '../platform/admin-operation.js';
import type { Logger } from '../platform/observability/logger.js';
import { Refused } from '../platform/refused.js';
import { version } from '../platform/version.js';
import { controlPath, type OperationReply, OperationRequest, readLine, readVersion, toLine } from './wire.js';

const connectionsMax = 16;
const questionTimeoutMs = 10_000;
/** Removes access for group and others from the moment the socket exists. */
const ownerOnlyMask = 0o177;

export class ControlServer {
  private readonly server: net.Server;
  private readonly handlers: ReadonlyMap<string, AdminHandler>;
  private readonly open = new Set<Socket>();
  private readonly path: string;

  constructor(
    dataDir: string,
    handlers: readonly AdminHandler[],
    private readonly log: Logger,
  ) {
    this.path = controlPath(dataDir);
    this.handlers = new Map(handlers.map((handler) => [handler.operation.name, handler]));
    this.server = net.createServer({ allowHalfOpen: true }, (socket) => void this.serve(socket));
    this.server.maxConnections = connectionsMax;
  }

  /** A daemon without its socket still serves; the log says what to do about it. */
  async start(): Promise<void> {
    rmSync(this.path, { force: true }); // of a daemon that was killed; the folder's lock says that none runs
    await new Promise<void>((resolve) => {
      this.server.on('error', (error) => {
        this.log.warn(
          { err: error, path: this.path },
          'there is no control socket, so `earshotd users` and similar commands work only while the daemon is stopped; a shorter EARSHOT_DATA_DIR may help',
        );
        resolve();
      });
      const before = process.umask(ownerOnlyMask);
      this.server.listen(this.path, resolve);
      process.umask(before);
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(socket: Socket): Promise<void> {
    this.open.add(socket);
    socket.on('close', () => this.open.delete(socket)).on('error', () => socket.destroy());
    socket.setTimeout(questionTimeoutMs, () => socket.destroy());
    try {
      const line = await readLine(socket);
      if (line === null) {
        socket.destroy(); // gone without a question; half open, it would keep its place until the time-out
        return;
      }
      socket.setTimeout(0);
      socket.end(toLine(await this.answer(line)));
    } catch (error) {
      this.log.warn({ err: error }, 'a request on the control socket could not be read');
      socket.destroy();
    }
  }

  private async answer(line: string): Promise<OperationReply> {
    const question = OperationRequest.parse(JSON.parse(line));
    if (question.operation === readVersion.name) return { answer: version };
    const handler = this.handlers.get(question.operation);
    if (handler === undefined)
      return { refused: `The running daemon does not know ${question.operation}. Restart it with this version.` };
    try {
      const answer = await handler.run(question.input);
      this.log.info({ operation: question.operation }, 'done for the operator');
      return { answer };
    } catch (error) {
      if (error instanceof Refused) return { refused: error.message };
      this.log.error({ err: error, operation: question.operation }, 'failed for the operator');
      return { refused: 'The daemon failed to do it; its log says why.' };
    }
  }
}
