/**
 * The master keys of this installation, in a 0600 file of the data folder (or one from EARSHOT_MASTER_KEY). The current
 * one encrypts data keys; retired ones stay, so that an older backup can still be restored. Never logged, never in a
 * backup.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readOrdinaryFile } from '../ordinary-file.js';
import { Refused } from '../refused.js';
import type { Clock } from '../time/clock.js';
import { randomText } from './random.js';

export const RingFile = z.object({
  current: z.string(),
  /** The new key of a rotation that has begun and not ended. */
  next: z.string().optional(),
  keys: z.array(z.object({ id: z.string(), key: z.string().regex(/^[0-9a-f]{64}$/), createdAt: z.string() })).min(1),
});
export type RingFile = z.infer<typeof RingFile>;

export interface MasterKey {
  /** First 16 hex digits of the key's SHA-256: identifies the key without revealing it. */
  readonly id: string;
  readonly key: Buffer;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Finds master keys by their id. */
export interface MasterKeys {
  find(id: string): MasterKey | null;
}

export const toMasterKey = (hex: string, createdAt: string): MasterKey => {
  const key = Buffer.from(hex, 'hex');
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key, createdAt };
};

/** Throws Refused when the text is no key ring. */
export function parseRing(text: string): RingFile {
  try {
    return RingFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new Refused('This is not a key ring as `earshotd key export` prints it.', { cause });
  }
}

/** Throws Refused when the file cannot be read or is no key ring. */
export function readRing(path: string): RingFile {
  let text: string;
  try {
    text = readOrdinaryFile(path).toString('utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refused(`The key ring ${path} cannot be read: ${reason}`, { cause });
  }
  return parseRing(text);
}

export class KeyRing implements MasterKeys {
  private kept: Promise<void> | null = null;

  private constructor(
    private readonly path: string,
    /** True if the current key comes from the environment and therefore cannot be replaced by the daemon. */
    private readonly isFixed: boolean,
    private currentKey: MasterKey,
    private nextKey: MasterKey | null,
    private readonly all: Map<string, MasterKey>,
    /** True if there was no file: the key is random, and nothing is encrypted under it yet. */
    private readonly isNew: boolean,
    private readonly now: Clock,
  ) {}

  /** The ring at `path`, or null when there is neither a file nor a `fixed` key; creates nothing. */
  static async find(path: string, now: Clock, fixed?: string): Promise<KeyRing | null> {
    return existsSync(path) || fixed !== undefined ? KeyRing.open(path, now, fixed) : null;
  }

  /** Opens the ring at `path`, or a new one with a random key, which `keep` writes; `fixed` (hex) takes precedence. */
  static async open(path: string, now: Clock, fixed?: string): Promise<KeyRing> {
    const stored = existsSync(path) ? readRing(path) : null;
    const keys = (stored?.keys ?? []).map(({ key, createdAt }) => toMasterKey(key, createdAt));
    const all = new Map(keys.map((key) => [key.id, key]));
    const fresh = () => toMasterKey(randomText(32, 'hex'), now().toISOString());
    if (fixed !== undefined) {
      const key = toMasterKey(fixed.toLowerCase(), now().toISOString());
      return new KeyRing(path, true, key, null, all.set(key.id, key), false, now);
    }
    const current = stored === null ? fresh() : all.get(stored.current);
    if (current === undefined) throw new Refused(`The key ring ${path} names a current key that it does not hold.`);
    const next = stored?.next === undefined ? null : (all.get(stored.next) ?? null);
    return new KeyRing(path, false, current, next, all.set(current.id, current), stored === null, now);
  }

  /** Writes a new ring, before anything is encrypted under its key. */
  async keep(): Promise<void> {
    if (!this.isNew) return;
    this.kept ??= this.save();
    await this.kept;
  }

  /** Removes the file of a new ring again: another daemon was faster, and its key counts. */
  async discard(): Promise<void> {
    if (this.isNew) await rm(this.path, { force: true });
  }

  /** The keys of both rings, to read a database of another installation; nothing is written. */
  static holding({ keys }: RingFile, beside: MasterKeys | null): MasterKeys {
    const lent = new Map(keys.map(({ key, createdAt }) => toMasterKey(key, createdAt)).map((key) => [key.id, key]));
    return { find: (id) => lent.get(id) ?? beside?.find(id) ?? null };
  }

  /** True if the current key comes from the environment. */
  get isFromEnvironment(): boolean {
    return this.isFixed;
  }

  get current(): MasterKey {
    return this.currentKey;
  }

  /** True while a rotation has begun and not ended. */
  get isRotating(): boolean {
    return this.nextKey !== null;
  }

  find(id: string): MasterKey | null {
    return this.all.get(id) ?? null;
  }

  /** The key that a rotation proposes: the one of an interrupted rotation, the one of the environment, or a fresh one. */
  proposed(): MasterKey {
    if (this.isFixed) return this.currentKey;
    return this.nextKey ?? toMasterKey(randomText(32, 'hex'), this.now().toISOString());
  }

  /** Begins, or goes on with, a rotation to this key, which is on disk before it encrypts anything. */
  async begin(key: MasterKey): Promise<void> {
    const isKnown = this.all.has(key.id);
    this.all.set(key.id, key);
    if (!this.isFixed) this.nextKey = key.id === this.currentKey.id ? null : key;
    if (!isKnown || !this.isFixed) await this.save();
  }

  async complete(key: MasterKey): Promise<void> {
    if (this.isFixed) return;
    this.currentKey = key;
    this.nextKey = null;
    await this.save();
  }

  /** Every key, to be stored apart from backups. */
  export(): RingFile {
    const keys = [...this.all.values()].map(({ id, key, createdAt }) => ({ id, key: key.toString('hex'), createdAt }));
    return { current: this.currentKey.id, ...(this.nextKey === null ? {} : { next: this.nextKey.id }), keys };
  }

  /** Adds the keys of another ring permanently, so that a backup from there can be read here. */
  async adopt({ keys }: RingFile): Promise<void> {
    for (const { key, createdAt } of keys) {
      const adopted = toMasterKey(key, createdAt);
      if (!this.all.has(adopted.id)) this.all.set(adopted.id, adopted);
    }
    await this.save();
  }

  /** The content of the file: without a key from the environment. */
  private stored(): RingFile | null {
    const ring = this.export();
    if (!this.isFixed) return ring;
    const keys = ring.keys.filter(({ id }) => id !== ring.current);
    const last = keys.at(-1);
    return last === undefined ? null : { current: last.id, keys };
  }

  private async save(): Promise<void> {
    const ring = this.stored();
    if (ring === null) return;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.new`;
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(ring, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.path);
    const folder = await open(dirname(this.path), 'r');
    await folder.sync().finally(() => folder.close());
  }
}
