/** Shared by all listeners of the daemon: binding the port, surviving errors, TLS from files that are renewed. */
import { X509Certificate } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Settings } from '../config/schema.js';
import { readOrdinaryFile } from '../ordinary-file.js';

/** The port is taken; the message names the setting. */
class PortTaken extends Error {
  override name = 'PortTaken';
}

/** The files of the certificate cannot be used; the message names the settings. */
export class TlsUnusable extends Error {
  override name = 'TlsUnusable';
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The files that the settings name, whenever they are asked; null: none. */
export function tlsFilesOf(settings: Pick<Settings, 'EARSHOT_TLS_CERT' | 'EARSHOT_TLS_KEY'>): TlsFiles | null {
  if (settings.EARSHOT_TLS_CERT === undefined || settings.EARSHOT_TLS_KEY === undefined) return null;
  return {
    get cert() {
      return settings.EARSHOT_TLS_CERT ?? '';
    },
    get key() {
      return settings.EARSHOT_TLS_KEY ?? '';
    },
  };
}

interface TlsPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

const tlsPollMs = 2_000;

/** Throws TlsUnusable. */
export function readTls({ cert, key }: TlsFiles): TlsPair {
  try {
    const pair = { cert: readOrdinaryFile(cert), key: readOrdinaryFile(key) };
    createSecureContext(pair);
    return pair;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TlsUnusable(`EARSHOT_TLS_CERT (${cert}) and EARSHOT_TLS_KEY (${key}) cannot be used: ${reason}`, {
      cause,
    });
  }
}

/** When the certificate ends. */
export const endOf = ({ cert }: Pick<TlsPair, 'cert'>): Date => new Date(new X509Certificate(cert).validTo);

/**
 * Passes on the pair whenever one of the files has changed; returns a function that stops this. A pair that cannot be
 * used, for example half written, goes to `refused`, and the next change is tried again.
 */
export function followTls(
  files: TlsFiles,
  changed: (pair: TlsPair) => void,
  refused: (error: unknown) => void,
): () => void {
  let paths: readonly string[] = [];
  const read = () => {
    try {
      changed(readTls(files));
    } catch (error) {
      refused(error);
    }
  };
  const watch = (now: readonly string[]) => {
    for (const path of paths) unwatchFile(path, read);
    for (const path of now) watchFile(path, { interval: tlsPollMs, persistent: false }, read);
    paths = now;
  };
  const again = () => {
    watch([files.cert, files.key]);
    read();
  };
  watch([files.cert, files.key]);
  followed.add(again);
  return () => {
    followed.delete(again);
    watch([]);
  };
}

const followed = new Set<() => void>();

/** Reads the certificates of all listeners of this process now, where the settings say that they are. */
export function reloadTls(): void {
  for (const again of followed) again();
}

/**
 * An error event without a listener ends the process. For emitters whose `close` is all that the daemon needs, such as
 * the socket of a client that resets its connection.
 */
export const outlive = <Emitter extends EventEmitter>(emitter: Emitter): Emitter => emitter.on('error', () => {});

/** One text per open connection, the same for the socket and the TLS within it. */
export const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Connections that wait to be accepted; the kernel may allow fewer. With Node's 511 a burst overflows the queue, and a
 * client that connects then tries again only after a second, and after three.
 */
const backlog = 2_048;

/** Throws PortTaken. Port 0 picks a free one. `failed` is called with later errors, such as too many open files. */
export function listen(
  server: Server,
  host: string,
  port: number,
  setting: string,
  failed: (error: Error) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      reject(new PortTaken(`Port ${port} on ${host} is taken. Set ${setting} to another one.`));
    };
    server.once('error', refused);
    server.listen({ port, host, backlog }, () => {
      server.off('error', refused);
      server.on('error', failed);
      resolve();
    });
  });
}
