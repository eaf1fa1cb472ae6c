/** The lock of a data folder: held by a process that runs, free when that has ended, even before its parent knows. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderInUse, DataFolderLock } from '../../../daemon/platform/database/data-folder-lock.js';
import { startTimeOf } from '../../../daemon/platform/processes/process-state.js';
import { eventually } from '../../support/eventually.js';

let folder: string;
let parent: ChildProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-lock-'));
});
afterEach(() => {
  parent?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A process whose parent never reads its exit code: `exec` puts a program in the parent's place that knows of no child. */
async function neglectedChild(): Promise<number> {
  parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  if (parent.stdout === null) throw new Error('no output');
  const [line] = await once(createInterface(parent.stdout), 'line');
  return Number(line);
}

describe.skipIf(!existsSync('/proc/self/stat'))('the lock of a data folder', () => {
  it('is held by a process that runs, and taken over from a zombie', async () => {
    const pid = await neglectedChild();
    writeFileSync(join(folder, 'earshotd.lock'), `${pid} ${startTimeOf(pid)}\n`);
    const lock = new DataFolderLock(folder);
    expect(lock.holder()).toBe(pid);
    expect(() => lock.acquire()).toThrow(DataFolderInUse);
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '));
    expect(lock.holder()).toBeNull();
    lock.acquire();
    expect(readFileSync(join(folder, 'earshotd.lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    lock.release();
  });
});
