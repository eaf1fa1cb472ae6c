/**
 * Encrypts secrets in the database: AES-256-GCM under a data key, which the master key encrypts. An encrypted value is
 * bound to its context (row and field), so that it cannot be moved elsewhere.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { Refused } from '../refused.js';
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

const version = 's1';
const nonceBytes = 12;
const tagBytes = 16;

function encrypt(key: Buffer, plain: Buffer, context: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function decrypt(key: Buffer, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

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
      `Secrets in the database are wrapped by master key ${masterKeyId}, which is not here. Set EARSHOT_MASTER_KEY, or put the key ring back into the data folder.`,
    );
  }
  return decrypt(master.key, wrapped, `data-key:${id}`);
}

export class SecretBox {
  private readonly keys = new Map<string, Buffer>();
  private currentId = '';

  constructor(
    private readonly ring: KeyRing,
    private readonly store: DataKeyStore,
  ) {}

  /**
   * Decrypts the data keys, creating the first one on a new installation. Throws when the master key is another one.
   */
  async start(): Promise<void> {
    let rows = await this.store.list();
    if (rows.length === 0) rows = await this.store.addFirst(wrap(this.ring.current, uuidv7(), randomBytes(32)));
    for (const row of rows) this.keys.set(row.id, unwrap(this.ring, row));
    this.currentId = rows.at(-1)?.id ?? '';
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
   * the same key.
   */
  async rotateMasterKey(): Promise<{ masterKeyId: string; dataKeys: number }> {
    const next = await this.ring.begin();
    const rows = (await this.store.list()).filter(({ masterKeyId }) => masterKeyId !== next.id);
    for (const row of rows) await this.store.rewrap(wrap(next, row.id, unwrap(this.ring, row)));
    await this.ring.complete(next);
    return { masterKeyId: next.id, dataKeys: rows.length };
  }

  /** Completes a rotation that was interrupted; null when there is none. */
  async resumeRotation(): Promise<{ masterKeyId: string; dataKeys: number } | null> {
    return this.ring.isRotating ? this.rotateMasterKey() : null;
  }
}
