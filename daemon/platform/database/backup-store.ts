/** An S3-compatible store that backups of the schedule are copied to. */
import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { S3mini } from 's3mini';
import type { Settings } from '../config/schema.js';
import { Refused } from '../refused.js';
import { partialEnding } from './copy-before.js';

interface StoredFile {
  /** Without the path of EARSHOT_BACKUP_S3_URL. */
  readonly name: string;
  readonly bytes: number;
}

/**
 * A request that has not ended by then has failed. Not one that fetches a file, which may take as long as the file is large:
 * `fetch` ends one that stands still.
 */
const timeoutMs = 300_000;
/** A larger file is sent in parts of this size, of which four are in memory at a time. A store takes 10,000 of them. */
const partBytes = 8 * 1024 * 1024;

export class BackupStore {
  private constructor(
    private readonly bucket: S3mini,
    private readonly downloads: S3mini,
    private readonly prefix: string,
    /** Address of the store, for sentences. */
    readonly address: string,
  ) {}

  /** null: none is set. */
  static of(settings: Settings): BackupStore | null {
    const {
      EARSHOT_BACKUP_S3_URL: address,
      EARSHOT_BACKUP_S3_KEY_ID: accessKeyId,
      EARSHOT_BACKUP_S3_SECRET: secret,
    } = settings;
    if (address === undefined || accessKeyId === undefined || secret === undefined) return null;
    const { origin, pathname } = new URL(address);
    const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '');
    const common = {
      ...{ accessKeyId, secretAccessKey: secret.reveal(), region: settings.EARSHOT_BACKUP_S3_REGION },
      ...{ endpoint: `${origin}/${bucket}`, minPartSize: partBytes },
    };
    const prefix = folders.map((folder) => `${folder}/`).join('');
    return new BackupStore(
      new S3mini({ ...common, requestAbortTimeout: timeoutMs }),
      new S3mini(common),
      prefix,
      address,
    );
  }

  /** The files below a folder of the store, which ends in a slash; '': its own. */
  list = (folder = ''): Promise<StoredFile[]> =>
    this.ask(async () => {
      const found = await this.bucket.listObjects('/', this.prefix + folder);
      if (found === null) throw new Error('there is no such bucket');
      return found
        .map(({ Key, Size }) => ({ name: Key.slice(this.prefix.length), bytes: Number(Size) }))
        .filter(({ name }) => name.startsWith(folder) && !name.slice(folder.length).includes('/'));
    });

  put = (path: string, name: string): Promise<void> =>
    this.ask(async () => {
      await this.bucket.putAnyObject(this.prefix + name, await openAsBlob(path), 'application/octet-stream');
    });

  /** The file has its name only once it is whole. */
  get = (name: string, target: string): Promise<void> =>
    this.ask(async () => {
      const partial = `${target}${partialEnding}`;
      try {
        const answer = await this.downloads.getObjectResponse(this.prefix + name);
        if (answer?.body == null) throw new Error(`there is no ${name}`);
        await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(partial, { mode: 0o600 }));
        await rename(partial, target);
      } finally {
        await rm(partial, { force: true });
      }
    });

  delete = (name: string): Promise<void> =>
    this.ask(async () => void (await this.bucket.deleteObject(this.prefix + name)));

  /** Throws Refused with what the store said. */
  private async ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new Refused(`The backup store ${this.address} failed: ${problem.replace(/\.$/, '')}.`, { cause });
    }
  }
}
