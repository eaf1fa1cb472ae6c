/** One daemon per data folder: a file names the process that holds it. The file of a dead process is taken over. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** A running daemon holds the folder; the message names its process. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
  constructor(readonly holder: number) {
    super(`Another daemon (process ${holder}) uses this data folder. Stop it first, or set EARSHOT_DATA_DIR.`);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process id can be reused after a restart of the machine, so the start time is compared too where /proc has it. */
function startTime(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

export class DataFolderLock {
  private readonly path: string;

  constructor(folder: string) {
    this.path = `${folder}/earshotd.lock`;
  }

  /** The process that holds the folder, or null. */
  holder(): number | null {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      return null;
    }
    const [pid = 0, started = ''] = text
      .trim()
      .split(' ')
      .map((part, index) => (index === 0 ? Number(part) : part)) as [number, string];
    if (!Number.isInteger(pid) || pid <= 0 || !isRunning(pid) || pid === process.pid) return null;
    return started === startTime(pid) ? pid : null;
  }

  /** Throws DataFolderInUse. */
  take(): void {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        const file = openSync(this.path, 'wx', 0o600);
        writeSync(file, `${process.pid} ${startTime(process.pid)}\n`);
        closeSync(file);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = this.holder();
        if (holder !== null) throw new DataFolderInUse(holder);
        rmSync(this.path, { force: true });
      }
    }
    throw new DataFolderInUse(this.holder() ?? 0);
  }

  release(): void {
    rmSync(this.path, { force: true });
  }
}
