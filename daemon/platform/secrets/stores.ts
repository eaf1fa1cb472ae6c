/** Stores data keys and the installation's own signing keys. */

import type { Database } from '../database/database.js';
import { isUniqueViolation } from '../database/errors.js';
import type { Clock } from '../time/clock.js';
import type { Handover } from './handovers.js';
import { randomText } from './random.js';
import type { DataKeyStore, SecretBox, WrappedDataKey } from './secret-box.js';

export class DataKeyRows implements DataKeyStore {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  list(): Promise<WrappedDataKey[]> {
    return this.database.read.dataKey.findMany({
      select: { id: true, masterKeyId: true, wrapped: true },
      orderBy: { id: 'asc' },
    });
  }

  async addFirst(key: WrappedDataKey): Promise<WrappedDataKey[]> {
    await this.database.transaction(async (tx) => {
      await this.database.takeTurn(tx, 'first-data-key');
      if ((await tx.dataKey.count()) === 0) await tx.dataKey.create({ data: { ...key, createdAt: this.now() } });
    });
    return this.list();
  }

  async rewrap({ id, masterKeyId, wrapped }: WrappedDataKey): Promise<void> {
    await this.database.transaction((tx) => tx.dataKey.updateMany({ where: { id }, data: { masterKeyId, wrapped } }));
  }
}

export class HandoverRows {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  list(): Promise<Handover[]> {
    return this.database.read.masterKeyHandover.findMany({ orderBy: { createdAt: 'asc' } });
  }

  /** Stores it unless the key before has another successor already; returns the successor. */
  async add(handover: Omit<Handover, 'createdAt'>): Promise<Handover> {
    const { wrappedBy } = handover;
    try {
      return await this.database.transaction((tx) =>
        tx.masterKeyHandover.create({ data: { ...handover, createdAt: this.now() } }),
      );
    } catch (error) {
      const other = isUniqueViolation(error)
        ? await this.database.read.masterKeyHandover.findUnique({ where: { wrappedBy } })
        : null;
      if (other === null) throw error;
      return other;
    }
  }

  /** Forgets what once followed this key: it is in force now. */
  removeSuccessor = (wrappedBy: string): Promise<unknown> =>
    this.database.transaction((tx) => tx.masterKeyHandover.deleteMany({ where: { wrappedBy } }));
}

const keyBytes = 32;

/** Each daemon makes new ones at its next start, and goes on with the old ones until then. */
export const forgetInstallationKeys = (database: Database, names: readonly string[]): Promise<unknown> =>
  database.transaction((tx) => tx.installationValue.deleteMany({ where: { name: { in: [...names] } } }));

/** A signing key of this installation by its name, created at the first call and the same until it is forgotten. */
export async function installationKey(
  database: Database,
  box: SecretBox,
  now: Clock,
  name: string,
): Promise<Uint8Array> {
  const context = `installation:${name}`;
  const read = () => database.read.installationValue.findUnique({ where: { name } });
  let row = await read();
  if (row === null) {
    const value = box.seal(randomText(keyBytes, 'hex'), context);
    try {
      await database.transaction((tx) => tx.installationValue.create({ data: { name, value, createdAt: now() } }));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    row = await read();
  }
  if (row === null) throw new Error(`The installation key ${name} could not be stored.`);
  return Buffer.from(box.open(row.value, context), 'hex');
}
