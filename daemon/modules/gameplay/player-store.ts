/** Stored information about a player: the name and avatar for rankings, and their topics. */
import type { UserInfo, UserInfoRequest } from '../../../src/contract/gameplay/gameplay.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/errors.js';
import { randomText } from '../../platform/secrets/random.js';
import type { Clock } from '../../platform/time/clock.js';
import type { PlayerKey } from './player-key.js';
import { gameplayStatements } from './sql.js';

const topicBytes = 16;
/** A leaderboard publishes the same to everybody, whichever player the topic was made for. */
export const everybody = '';

interface TopicSubject extends PlayerKey {
  /** `challenges`, `challenge:<id>`, `battle-pass:<id>` or `leaderboard:<id>`. */
  readonly subject: string;
}

export class PlayerInfo {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  async get({ projectId, userId }: PlayerKey): Promise<UserInfo> {
    const row = await this.database.read.player.findUnique({ where: { projectId_userId: { projectId, userId } } });
    return { username: row?.username ?? null, avatarImage: row?.avatarImage ?? null };
  }

  /** Returns the stored information of these users; users without any are missing. */
  async infosOf(
    client: Transaction | Reader,
    projectId: string,
    userIds: readonly string[],
  ): Promise<Map<string, UserInfo>> {
    if (userIds.length === 0) return new Map();
    const rows = await client.$queryRawUnsafe<({ readonly userId: string } & UserInfo)[]>(
      gameplayStatements[this.database.dialect].infos,
      projectId,
      JSON.stringify(userIds),
    );
    return new Map(rows.map(({ userId, ...info }) => [userId, info]));
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
export class Topics {
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
}
