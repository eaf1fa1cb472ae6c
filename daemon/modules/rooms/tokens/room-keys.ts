/**
 * Keys of the rooms' end-to-end encryption. Mode manual: the project's password. Mode automatic: a random key for each
 * room, and a new one, with the next index, once the room has been empty.
 */

import type { Database } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/errors.js';
import { randomText } from '../../../platform/secrets/random.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Clock } from '../../../platform/time/clock.js';
import { type RoomKeyRow, RoomKeyStore } from './room-key-store.js';

/** The key with which frames in a room are encrypted. */
export interface RoomEncryptionKey {
  readonly mode: 'manual' | 'automatic';
  readonly key: string;
  /** 0–255; tells frames of one key from those of the next. */
  readonly keyIndex: number;
}

interface EncryptionSettings {
  open(projectId: string): Promise<{
    readonly e2eEncryptionMode: 'manual' | 'disabled' | 'automatic';
    readonly e2eEncryptionPassword: string | null;
  } | null>;
}

const keyBytes = 32;
const indexes = 256;
/** Choice: as long as a token waits for its first use, so that nobody holds a key that has been replaced by then. */
const emptyMs = 5 * 60_000;
export class RoomKeys {
  readonly rows: RoomKeyStore;

  constructor(
    private readonly database: Database,
    private readonly settings: EncryptionSettings,
    private readonly box: SecretBox,
    private readonly now: Clock,
  ) {
    this.rows = new RoomKeyStore(database);
  }

  /** The key for a person who enters now; null where encryption is disabled. */
  async forNewcomer(projectId: string, roomId: string): Promise<RoomEncryptionKey | null> {
    const row = await this.rows.find(projectId, roomId);
    const isOver =
      row !== null && row.emptySince !== null && this.now().getTime() - row.emptySince.getTime() >= emptyMs;
    if (isOver && (await this.isAutomatic(projectId))) await this.renew(row);
    return this.inForce(projectId, roomId);
  }

  /** The key that decrypts what is said there now; null where encryption is disabled. */
  async inForce(projectId: string, roomId: string): Promise<RoomEncryptionKey | null> {
    const settings = await this.settings.open(projectId);
    if (settings === null || settings.e2eEncryptionMode === 'disabled') return null;
    const { e2eEncryptionMode: mode, e2eEncryptionPassword: password } = settings;
    if (mode === 'manual') return password === null ? null : { mode, key: password, keyIndex: 0 };
    const { keyIndex, secret } = (await this.rows.find(projectId, roomId)) ?? (await this.make(projectId, roomId));
    return { mode, key: this.box.open(secret, context(projectId, roomId)), keyIndex };
  }

  /** Somebody has entered or left. */
  async occupied(projectId: string, roomId: string, isEmpty: boolean): Promise<void> {
    const row = await this.rows.find(projectId, roomId);
    if (row === null || (row.emptySince !== null) === isEmpty) return;
    const emptySince = isEmpty ? this.now() : null;
    await this.database.transaction((tx) => this.rows.setEmptySince(tx, projectId, roomId, emptySince));
  }

  private isAutomatic = async (projectId: string): Promise<boolean> =>
    (await this.settings.open(projectId))?.e2eEncryptionMode === 'automatic';

  private async make(projectId: string, roomId: string): Promise<RoomKeyRow> {
    const row = this.fresh(projectId, roomId, 0);
    try {
      return await this.database.transaction((tx) => this.rows.insert(tx, row));
    } catch (error) {
      const others = isUniqueViolation(error) ? await this.rows.find(projectId, roomId) : null;
      if (others === null) throw error;
      return others;
    }
  }

  private async renew(row: RoomKeyRow): Promise<void> {
    const next = this.fresh(row.projectId, row.roomId, (row.keyIndex + 1) % indexes);
    await this.database.transaction((tx) => this.rows.replace(tx, row, next));
  }

  private fresh(projectId: string, roomId: string, keyIndex: number): RoomKeyRow {
    const secret = this.box.seal(randomText(keyBytes), context(projectId, roomId));
    return { projectId, roomId, keyIndex, secret, emptySince: null };
  }
}

const context = (projectId: string, roomId: string): string => `room-key:${projectId}:${roomId}`;
