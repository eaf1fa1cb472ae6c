/**
 * A loss of power, made from the record that test/support/power-cut.c keeps of a process: what was synced is there, and of
 * what was written since, each sector of 512 bytes may be there or not.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Chance } from '../fuzz/engine/chance.js';

const source = fileURLToPath(new URL('./power-cut.c', import.meta.url));
const sector = 512;
const files = ['earshot.db', 'earshot.db-wal'] as const;
const headBytes = 32;
const kinds = { write: 1, sync: 2, truncate: 3 } as const;

export const hasCompiler = process.platform === 'linux' && existsSync('/usr/bin/gcc');

interface Step {
  readonly kind: number;
  readonly offset: number;
  readonly length: number;
  readonly data: Buffer;
}

/** Bytes of a file on the disk. */
class Stored {
  constructor(private bytes: Buffer) {}

  write(offset: number, data: Buffer): void {
    if (this.bytes.length < offset + data.length) this.resize(offset + data.length);
    data.copy(this.bytes, offset);
  }

  resize(length: number): void {
    const resized = Buffer.alloc(length);
    this.bytes.copy(resized, 0, 0, Math.min(length, this.bytes.length));
    this.bytes = resized;
  }

  take({ kind, offset, length, data }: Step): void {
    if (kind === kinds.truncate) this.resize(length);
    else this.write(offset, data);
  }

  get content(): Buffer {
    return this.bytes;
  }
}

export interface Cut {
  /** Writes and truncations that were not synced when the process ended. */
  readonly unsynced: number;
  /** Of these, those that are on the disk in part. */
  readonly torn: number;
}

/** The disk below one data folder. */
export class Disk {
  private readonly journal: string;
  private readonly order: string;
  private readonly library: string;
  private before: Buffer[] = [];

  constructor(
    private readonly dataDir: string,
    scratch: string,
  ) {
    this.journal = join(scratch, 'journal');
    this.order = join(scratch, 'order');
    this.library = join(scratch, 'power-cut.so');
    execFileSync('gcc', [
      '-O1',
      '-Wall',
      '-Werror',
      '-shared',
      '-fPIC',
      '-o',
      this.library,
      source,
      '-ldl',
      '-pthread',
    ]);
  }

  /** Environment of a process whose writes are recorded. */
  get environment(): Record<string, string> {
    return { LD_PRELOAD: this.library, FAULT_JOURNAL: this.journal, FAULT_ORDER: this.order };
  }

  private path = (name: string): string => join(this.dataDir, name);

  /** Call it before each start of the process. */
  begin(): void {
    for (const path of [this.journal, this.order]) rmSync(path, { force: true });
    this.before = files.map((name) => (existsSync(this.path(name)) ? readFileSync(this.path(name)) : Buffer.alloc(0)));
  }

  /** Ends the process by itself at this many further writes, truncations and syncs. */
  endAfter(steps: number): void {
    writeFileSync(this.order, String(steps));
  }

  /** From now on each sync fails. */
  breakSyncs(): void {
    writeFileSync(this.order, 'eio');
  }

  /**
   * Leaves what a loss of power in the moment of the process's end could have left. `ignoresSyncs`: of a disk that says it has
   * synced and has not.
   */
  cutPower(chance: Chance, { ignoresSyncs = false } = {}): Cut {
    const disk = this.before.map((bytes) => new Stored(bytes));
    const pending: Step[][] = files.map(() => []);
    for (const { file, ...step } of this.steps()) {
      const waiting = pending[file] ?? [];
      if (step.kind !== kinds.sync) waiting.push(step);
      else if (!ignoresSyncs) for (const one of waiting.splice(0)) disk[file]?.take(one);
    }
    let torn = 0;
    const unsynced = pending.flat().length;
    for (const [file, waiting] of pending.entries())
      for (const step of ignoresSyncs ? [] : waiting) {
        const fate = chance.below(3);
        if (fate === 0) continue;
        if (fate === 1 || step.kind === kinds.truncate) disk[file]?.take(step);
        else torn += this.tear(disk[file], step, chance);
      }
    for (const [file, name] of files.entries()) writeFileSync(this.path(name), disk[file]?.content ?? '');
    rmSync(this.path('earshot.db-shm'), { force: true });
    return { unsynced, torn };
  }

  private tear(disk: Stored | undefined, { offset, data }: Step, chance: Chance): number {
    for (let begin = 0; begin < data.length; begin += sector)
      if (chance.below(2) === 0) disk?.write(offset + begin, data.subarray(begin, begin + sector));
    return 1;
  }

  private *steps(): Generator<Step & { readonly file: number }> {
    const record = existsSync(this.journal) ? readFileSync(this.journal) : Buffer.alloc(0);
    for (let at = 0; at + headBytes <= record.length; ) {
      const [kind = 0, file = 0, offset = 0, length = 0] = [0, 8, 16, 24].map((field) =>
        Number(record.readBigUInt64LE(at + field)),
      );
      at += headBytes;
      const bytes = kind === kinds.write ? length : 0;
      yield { kind, file: file - 1, offset, length, data: record.subarray(at, at + bytes) };
      at += bytes;
    }
  }
}
