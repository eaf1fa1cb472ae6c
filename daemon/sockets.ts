/** What every listener of the daemon does alike: taking its port, and TLS from files that may be renewed. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:net';

/** A port that is wanted is not free; the message names the setting. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const tlsPollMs = 5_000;

export const readTls = ({ cert, key }: TlsFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) });

/** Calls `changed` when one of the files has changed; returns the function that ends this. */
export function watchTls({ cert, key }: TlsFiles, changed: () => void): () => void {
  for (const file of [cert, key]) watchFile(file, { interval: tlsPollMs, persistent: false }, changed);
  return () => {
    for (const file of [cert, key]) unwatchFile(file, changed);
  };
}

/** Throws PortTaken. Port 0 picks a free one. */
export function listen(server: Server, host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      reject(new PortTaken(`Port ${port} on ${host} is taken. Set ${setting} to another one.`));
    };
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      resolve();
    });
  });
}
