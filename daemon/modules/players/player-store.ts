/** Stored information about a player: the name and avatar for rankings, and their topics. */
import type { UserInfo, UserInfoRequest } from '../../../src/contract/gameplay/gameplay.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Database, DatabaseClient, Transaction } from '../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../platform/database/dialect.js';
import { isUniqueViolation } from '../../platform/database/errors.js';
import { randomText } from '../../platform/secrets/random.js';
import type { Clock } from '../../platform/time/clock.js';
import {
  everybody,
  type PlayerKey,
  type PlayerRows,
  type TopicNames,
  type TopicSubject,
} from '../game-events/model/player.js';

const topicBytes = 16;
interface PlayerStatements {
  /** Parameters: projectId, userId, now, now. Makes the player's row and locks it. */
  readonly lock: string;
  /** Parameter: `playerKeyRows`. Returns projectId, userId, username and avatarImage of those that are stored. */
  readonly infos: string;
}

const playerKeyRows = bulkRows('Player', ['projectId', 'userId'] as const);
const infos = (dialect: Dialect, join: string) =>
  `SELECT p."projectId", p."userId", p."username", p."avatarImage"
    FROM ${playerKeyRows.from(dialect)} AS k ${join} "Player" AS p ON ${playerKeyRows.equal('p', 'k')}`;

const statements: Readonly<Record<Dialect, PlayerStatements>> = {
  sqlite: {
    lock: `INSERT INTO "Player" ("projectId", "userId", "createdAt", "updatedAt") VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
    infos: infos('sqlite', 'CROSS JOIN'),
  },
  postgresql: {
    lock: `INSERT INTO "Player" ("projectId", "userId", "createdAt", "updatedAt")
      VALUES ($1, $2, $3::timestamptz AT TIME ZONE 'UTC', $4::timestamptz AT TIME ZONE 'UTC')
      ON CONFLICT ("projectId", "userId") DO UPDATE SET "createdAt" = "Player"."createdAt"`,
    infos: infos('postgresql', 'JOIN'),
  },
};

/** A row of `playerKeyRows`. */
const keyText = (projectId: string, userId: string): string => JSON.stringify([projectId, userId]);

/** Selects those of these users, by their ids. */
function infosIn(all: ReadonlyMap<string, UserInfo>, projectId: string, userIds: readonly string[]) {
  const infos = new Map<string, UserInfo>();
  for (const userId of userIds) {
    const info = all.get(keyText(projectId, userId));
    if (info !== undefined) infos.set(userId, info);
  }
  return infos;
}

export class PlayerInfo implements PlayerRows {
  private readonly committed: BatchedLookup<UserInfo>;

  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {
    this.committed = new BatchedLookup((keys) => this.infosBy(database.read, keys));
  }

  async get({ projectId, userId }: PlayerKey): Promise<UserInfo> {
    const row = await this.database.read.player.findUnique({ where: { projectId_userId: { projectId, userId } } });
    return { username: row?.username ?? null, avatarImage: row?.avatarImage ?? null };
  }

  async infosOf(tx: Transaction, projectId: string, userIds: readonly string[]): Promise<Map<string, UserInfo>> {
    const keys = userIds.map((userId) => keyText(projectId, userId));
    return infosIn(await this.infosBy(tx, keys), projectId, userIds);
  }

  async currentInfosOf(projectId: string, userIds: readonly string[]): Promise<Map<string, UserInfo>> {
    if (userIds.length === 0) return new Map();
    const keys = userIds.map((userId) => keyText(projectId, userId));
    return infosIn(await this.committed.getAll(keys), projectId, userIds);
  }

  private async infosBy(client: DatabaseClient, keys: readonly string[]): Promise<Map<string, UserInfo>> {
    if (keys.length === 0) return new Map();
    const rows = await client.$queryRawUnsafe<(PlayerKey & UserInfo)[]>(
      statements[this.database.dialect].infos,
      `[${keys.join()}]`,
    );
    return new Map(rows.map(({ projectId, userId, ...info }) => [keyText(projectId, userId), info]));
  }

  async lock(tx: Transaction, { projectId, userId }: PlayerKey, now: Date): Promise<void> {
    const at = sqlTime(now);
    await tx.$executeRawUnsafe(statements[this.database.dialect].lock, projectId, userId, at, at);
  }

  /** Replaces both: an absent field is cleared. */
  async set({ projectId, userId }: PlayerKey, request: UserInfoRequest): Promise<UserInfo> {
    const info = { username: request.username ?? null, avatarImage: request.avatarImage ?? null };
    const updatedAt = this.now();
    await this.database.transaction((tx) =>
      tx.player.upsert({
        where: { projectId_userId: { projectId, userId } },
        create: { projectId, userId, ...info, createdAt: updatedAt, updatedAt },
        update: { ...info, updatedAt },
      }),
    );
    return info;
  }
}

/** Topic names: created once for a subject, looked up by name when a client subscribes. */
export class Topics implements TopicNames {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  async find(name: string): Promise<TopicSubject | null> {
    const row = await this.database.read.topic.findUnique({ where: { name } });
    if (row === null) return null;
    const { projectId, userId, subject } = row;
    return { projectId, userId: subject.startsWith('leaderboard:') ? everybody : userId, subject };
  }

  async nameOf(key: TopicSubject): Promise<string> {
    const { projectId, userId, subject } = key;
    const known = await this.database.read.topic.findUnique({
      where: { projectId_userId_subject: { projectId, userId, subject } },
    });
    if (known !== null) return known.name;
    const name = randomText(topicBytes, 'hex');
    try {
      const data = { name, projectId, userId, subject, createdAt: this.now() };
      await this.database.transaction((tx) => tx.topic.create({ data }));
      return name;
    } catch (error) {
      // Another request created the same topic at the same moment.
      if (isUniqueViolation(error)) return this.nameOf(key);
      throw error;
    }
  }

  async deleteSubject(tx: Transaction, projectId: string, subject: string): Promise<void> {
    await tx.topic.deleteMany({ where: { projectId, subject } });
  }
}
