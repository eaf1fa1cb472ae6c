/**
 * A disk with hardly any room: a tmpfs where one can be mounted (root), and elsewhere the limit on the size of files, which
 * fails the same writes.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './program-environment.js';

const program = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
const sizeKib = 4_096;
/** Space that folders take. */
const folderKib = 16;
const blockBytes = 4_096;

interface SmallDisk {
  /** Starts a new installation with so much room; resolves once the daemon has ended. */
  start(leftKib: number): Promise<{ readonly code: number | null; readonly stderr: string }>;
  remove(): void;
}

function mounted(folder: string, kib: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A disk that fills up while somebody writes to it. */
interface FillingDisk {
  readonly folder: string;
  /** From here on nothing more fits, but the rest of blocks that files have begun. */
  fill(): void;
  free(): void;
  remove(): void;
}

/** null where none can be mounted. */
export function fillingDisk(): FillingDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-disk-'));
  if (!mounted(folder, sizeKib)) {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(blockBytes));
      } catch {
        closeSync(file); // full
      }
    },
    free: () => rmSync(filler),
    remove() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function smallDisk(): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-disk-'));
  const isMounted = mounted(folder, sizeKib);
  const run = async (dataDir: string, limit: string) => {
    const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', process.execPath, program, 'run'], {
      env: {
        ...programEnvironment,
        ...{ EARSHOT_PORT: '0', EARSHOT_MQTT_PORT: '0', EARSHOT_MEDIA_PORT: '0', EARSHOT_TRANSCRIBER: 'off' },
        EARSHOT_DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code: child.exitCode, stderr };
  };
  return {
    start(leftKib) {
      const dataDir = join(folder, 'data');
      rmSync(dataDir, { recursive: true, force: true });
      mkdirSync(dataDir, { mode: 0o700 });
      // A signal would end the process before it can say anything; the limit counts in 512 bytes.
      if (!isMounted) return run(dataDir, `trap '' XFSZ; ulimit -f ${leftKib * 2}; `);
      writeFileSync(join(folder, 'filler'), Buffer.alloc((sizeKib - leftKib - folderKib) * 1_024));
      return run(dataDir, '');
    },
    remove() {
      if (isMounted) execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
