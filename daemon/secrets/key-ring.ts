/**
 * The master keys of this installation, in a 0600 file of the data folder (or one from EARSHOT_MASTER_KEY). The
 * current one wraps data keys; retired ones stay, so that an older backup can still be restored. Never logged, never
 * in a backup.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.js';

const RingFile = z.object({
  current: z.string(),
  keys: z.array(z.object({ id: z.string(), key: z.string().regex(/^[0-9a-f]{64}$/), createdAt: z.string() })).min(1),
});

export interface MasterKey {
  /** First 16 hex digits of the key's SHA-256: names the key without telling it. */
  readonly id: string;
  readonly key: Buffer;
}

const toMasterKey = (hex: string): MasterKey => {
  const key = Buffer.from(hex, 'hex');
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key };
};

export class KeyRing {
  private constructor(
    private readonly path: string | null,
    private currentKey: MasterKey,
    private readonly all: Map<string, MasterKey>,
    private readonly now: Clock,
  ) {}

  /** Opens the ring at `path`, making it with a random key when there is none; `fixed` (hex) takes precedence. */
  static async open(path: string, now: Clock, fixed?: string): Promise<KeyRing> {
    const stored = existsSync(path) ? RingFile.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
    const all = new Map((stored?.keys ?? []).map(({ key }) => [toMasterKey(key).id, toMasterKey(key)]));
    if (fixed !== undefined) {
      const key = toMasterKey(fixed);
      return new KeyRing(null, key, all.set(key.id, key), now);
    }
    const current = stored === null ? toMasterKey(randomBytes(32).toString('hex')) : all.get(stored.current);
    if (current === undefined) throw new Error(`The key ring ${path} names a current key that it does not hold.`);
    const ring = new KeyRing(path, current, all.set(current.id, current), now);
    if (stored === null) await ring.save();
    return ring;
  }

  get current(): MasterKey {
    return this.currentKey;
  }

  find(id: string): MasterKey | null {
    return this.all.get(id) ?? null;
  }

  /** Adds a fresh key on disk, still beside the current one; `use` makes it current once everything is rewrapped. */
  async add(): Promise<MasterKey> {
    const key = toMasterKey(randomBytes(32).toString('hex'));
    this.all.set(key.id, key);
    await this.save();
    return key;
  }

  async use(id: string): Promise<void> {
    const key = this.all.get(id);
    if (key === undefined) throw new Error(`There is no master key ${id} in the ring.`);
    this.currentKey = key;
    await this.save();
  }

  private async save(): Promise<void> {
    if (this.path === null) throw new Error('The master key comes from EARSHOT_MASTER_KEY; change it there.');
    const createdAt = this.now().toISOString();
    const keys = [...this.all.values()].map(({ id, key }) => ({ id, key: key.toString('hex'), createdAt }));
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const temporary = `${this.path}.new`;
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ current: this.currentKey.id, keys }, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.path);
  }
}
