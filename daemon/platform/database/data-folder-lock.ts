/**
 * One daemon per data folder: a file names the process that holds it. The file of a dead process is taken over, be it
 * a zombie whose parent has not read its exit code.
 */
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { isRunning, startTimeOf } from '../processes/process-state.js';

/** A running daemon holds the folder; the message names its process. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
  constructor(readonly holder: number) {
    super(`Another daemon (process ${holder}) uses this data folder. Stop it first, or set EARSHOT_DATA_DIR.`);
  }
}

/** The file is written right after it is created; one that stays empty for longer was left by a crash in between. */
const emptyMaxMs = 100;
const lookMs = 10;
const attemptsMax = 3;

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The process that the text names, if it runs. */
function holderIn(text: string): number | null {
  const [first = '', started = ''] = text.trim().split(' ');
  const pid = Number(first);
  if (pid === process.pid || !isRunning(pid)) return null;
  // A process id can be reused after a restart of the machine.
  return started === startTimeOf(pid) ? pid : null;
}

export class DataFolderLock {
  private readonly path: string;

  constructor(folder: string) {
    this.path = `${folder}/earshotd.lock`;
  }

  /** The process that holds the folder, or null. */
  holder(): number | null {
    return holderIn(this.text() ?? '');
  }

  /** Throws DataFolderInUse. */
  acquire(): void {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      try {
        const file = openSync(this.path, 'wx', 0o600);
        writeSync(file, `${process.pid} ${startTimeOf(process.pid)}\n`);
        closeSync(file);
        return;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
        const found = this.text();
        const holder = holderIn(found ?? '');
        if (holder !== null) throw new DataFolderInUse(holder);
        if (found !== null) this.removeStale(found);
      }
    }
    throw new DataFolderInUse(this.holder() ?? 0);
  }

  release(): void {
    rmSync(this.path, { force: true });
  }

  /** Text of the file; null: there is none. */
  private text(): string | null {
    for (let waitedMs = 0; ; waitedMs += lookMs) {
      try {
        const text = readFileSync(this.path, 'utf8');
        if (text !== '' || waitedMs >= emptyMaxMs) return text;
      } catch {
        return null;
      }
      sleep(lookMs);
    }
  }

  /** Another daemon may do the same, and have made its own file by now: that one is put back. */
  private removeStale(found: string): void {
    const aside = `${this.path}.${process.pid}`;
    try {
      renameSync(this.path, aside);
      if (readFileSync(aside, 'utf8') !== found) linkSync(aside, this.path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
    }
    rmSync(aside, { force: true });
  }
}
