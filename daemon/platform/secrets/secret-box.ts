/**
 * Encrypts secrets in the database: AES-256-GCM under a data key, which the master key encrypts. An encrypted value is
 * bound to its context (row and field), so that it cannot be moved elsewhere.
 */
import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../ids/new-id.js';
import { Refused } from '../refused.js';
import type { Clock } from '../time/clock.js';
import { decrypt, encrypt } from './aes.js';
import { findHandedOver, follows, type Handover, handOver } from './handovers.js';
import type { KeyRing, MasterKey, MasterKeys } from './key-ring.js';

export interface WrappedDataKey {
  id: string;
  masterKeyId: string;
  wrapped: string;
}

/** Stores encrypted data keys. */
export interface DataKeyStore {
  list(): Promise<WrappedDataKey[]>;
  /** Stores the key unless there is one already; returns the stored ones. */
  addFirst(key: WrappedDataKey): Promise<WrappedDataKey[]>;
  rewrap(key: WrappedDataKey): Promise<void>;
}

/** Stores the handovers of new master keys to the other daemons. */
interface HandoverStore {
  list(): Promise<Handover[]>;
  add(handover: Omit<Handover, 'createdAt'>): Promise<Handover>;
  removeSuccessor(wrappedBy: string): Promise<unknown>;
}

interface Rotated {
  readonly masterKeyId: string;
  readonly dataKeys: number;
}

const version = 's1';
/** A rotation by another daemon this short a time ago is the one that is asked for. */
const sameRotationMs = 60_000;

/** A data key as stored: encrypted by the master key, bound to its row. */
export const wrap = (master: MasterKey, id: string, key: Buffer): WrappedDataKey => ({
  id,
  masterKeyId: master.id,
  wrapped: encrypt(master.key, key, `data-key:${id}`),
});

/** The data key of a row. Throws Refused when none of these master keys encrypted it. */
export function unwrap(masters: MasterKeys, { id, masterKeyId, wrapped }: WrappedDataKey): Buffer {
  const master = masters.find(masterKeyId);
  if (master === null) {
    throw new Refused(
      `Secrets in the database are wrapped by master key ${masterKeyId}, which is not here. Daemons of one database share the master key: set the same EARSHOT_MASTER_KEY for all, or put the key ring of another one (\`earshotd key export\`) into the data folder as key-ring.json.`,
    );
  }
  return decrypt(master.key, wrapped, `data-key:${id}`);
}

export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  private currentId = '';
  private rotating: Promise<Rotated> | null = null;

  constructor(
    private readonly ring: KeyRing,
    private readonly store: DataKeyStore,
    private readonly handovers: HandoverStore,
    private readonly now: Clock,
  ) {}

  /**
   * Decrypts the data keys, creating the first one on a new installation. Throws Refused when the master key is another
   * one; a key ring that was made for this start is removed then.
   */
  async start(): Promise<void> {
    let rows = await this.store.list();
    if (rows.length === 0) {
      await this.ring.keep();
      rows = await this.store.addFirst(wrap(this.ring.current, uuidv7(), randomBytes(32)));
    }
    try {
      await this.catchUp(rows);
      for (const row of rows) this.keys.set(row.id, unwrap(this.ring, row));
    } catch (error) {
      await this.ring.discard();
      throw error;
    }
    this.currentId = rows.at(-1)?.id ?? '';
  }

  /** True if EARSHOT_MASTER_KEY of this daemon is older than the master key that the database uses. */
  async isBehind(): Promise<boolean> {
    return this.ring.isFromEnvironment && this.hasFollower(await this.store.list(), await this.handovers.list());
  }

  /** `context` names the row and field of the value and must be the same for decryption. */
  seal(plain: string, context: string): string {
    const key = this.keys.get(this.currentId);
    if (key === undefined) throw new Error('The secret box is not started.');
    return `${version}.${this.currentId}.${encrypt(key, Buffer.from(plain), context)}`;
  }

  /** Throws when the value was changed or belongs to another context. */
  open(sealed: string, context: string): string {
    const [prefix, id = '', body = ''] = sealed.split('.');
    const key = this.keys.get(id);
    if (prefix !== version || key === undefined) throw new Error('A sealed value names a data key that is not here.');
    return decrypt(key, body, context).toString();
  }

  /**
   * Encrypts every data key with a new master key; the encrypted values stay as they are, so requests go on meanwhile.
   * After an interruption both keys are in the ring: data keys of either can be decrypted, and a repeat continues with
   * the same key. Rotations at the same time, here or in another daemon, are one. Throws Refused.
   */
  rotateMasterKey(): Promise<Rotated> {
    this.rotating ??= this.rotate().finally(() => {
      this.rotating = null;
    });
    return this.rotating;
  }

  /** Completes a rotation that was interrupted, or that another daemon has begun; null when there is none. */
  async resumeRotation(): Promise<Rotated | null> {
    return this.ring.isRotating ? this.rewrapAll(this.ring.proposed()) : null;
  }

  private async rotate(): Promise<Rotated> {
    const handovers = await this.handovers.list();
    const rows = await this.store.list();
    if (this.ring.isFromEnvironment && this.hasFollower(rows, handovers))
      throw new Refused(
        'EARSHOT_MASTER_KEY of this daemon is an older master key: another daemon has rotated it. Set the new one here.',
      );
    const wasBehind = await this.catchUp(rows);
    const since = this.now().getTime() - sameRotationMs;
    if (wasBehind && handovers.some(({ createdAt }) => createdAt.getTime() >= since))
      return this.rewrapAll(this.ring.proposed());
    if (this.ring.isRotating && wasBehind) await this.rewrapAll(this.ring.proposed());
    const proposed = this.ring.proposed();
    const before = this.ring.find(rows.at(-1)?.masterKeyId ?? '') ?? this.ring.current;
    if (before.id === proposed.id) return this.rewrapAll(proposed);
    const { id } = await this.handovers.add(handOver(before, proposed));
    const next = id === proposed.id ? proposed : findHandedOver(this.ring, await this.handovers.list(), id);
    if (next === null) throw new Error(`The master key ${id} was handed over and cannot be read.`);
    return this.rewrapAll(next);
  }

  private async rewrapAll(next: MasterKey): Promise<Rotated> {
    await this.ring.begin(next);
    const rows = (await this.store.list()).filter(({ masterKeyId }) => masterKeyId !== next.id);
    for (const row of rows) await this.store.rewrap(wrap(next, row.id, unwrap(this.ring, row)));
    await this.ring.complete(next);
    await this.handovers.removeSuccessor(next.id);
    return { masterKeyId: next.id, dataKeys: rows.length };
  }

  /** Takes over the master key of a rotation by another daemon. Returns whether there is one. */
  private async catchUp(rows: readonly WrappedDataKey[]): Promise<boolean> {
    const unknown = [...new Set(rows.map(({ masterKeyId }) => masterKeyId))].filter(
      (id) => this.ring.find(id) === null,
    );
    if (unknown.length === 0) return false;
    const handovers = await this.handovers.list();
    for (const id of unknown) {
      const key = findHandedOver(this.ring, handovers, id);
      if (key !== null) await this.ring.begin(key);
    }
    return true;
  }

  private hasFollower(rows: readonly WrappedDataKey[], handovers: readonly Handover[]): boolean {
    return rows.some(({ masterKeyId }) => follows(handovers, this.ring.current.id, masterKeyId));
  }
}
