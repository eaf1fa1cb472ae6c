/**
 * Takes a deleted project's rows away, some at a time so that no transaction holds others up for long. What is not named
 * here is small and goes with the project's own row, by its foreign key.
 */
import type { Database, Transaction } from '../../../platform/database/database.js';

/** Deletes some rows of one kind, all that hang on them included; returns how many. */
type RemoveSome = (tx: Transaction, projectId: string) => Promise<number>;

const take = 500;
const idOnly = { select: { id: true }, take } as const;
const idsOf = (rows: readonly { id: string }[]) => ({ where: { id: { in: rows.map(({ id }) => id) } } });

const kinds: readonly RemoveSome[] = [
  async (tx, projectId) => {
    const { count } = await tx.webhookEvent.deleteMany(
      idsOf(await tx.webhookEvent.findMany({ where: { projectId }, ...idOnly })),
    );
    return count;
  },
  async (tx, projectId) => {
    const unsent = { projectId, deliveries: { none: {} } };
    const some = await tx.webhookPayload.findMany({ where: unsent, select: { eventId: true }, take });
    const { count } = await tx.webhookPayload.deleteMany({
      where: { eventId: { in: some.map(({ eventId }) => eventId) } },
    });
    return count;
  },
  async (tx, projectId) => {
    const { count } = await tx.message.deleteMany(
      idsOf(await tx.message.findMany({ where: { projectId }, ...idOnly })),
    );
    return count;
  },
  async (tx, projectId) => {
    const { count } = await tx.sanction.deleteMany(
      idsOf(await tx.sanction.findMany({ where: { projectId }, ...idOnly })),
    );
    return count;
  },
  async (tx, projectId) => {
    const { count } = await tx.participant.deleteMany(
      idsOf(await tx.participant.findMany({ where: { projectId }, ...idOnly })),
    );
    return count;
  },
  async (tx, projectId) => {
    const { count } = await tx.gameEvent.deleteMany(
      idsOf(await tx.gameEvent.findMany({ where: { projectId }, ...idOnly })),
    );
    return count;
  },
  async (tx, projectId) => {
    const players = await tx.player.findMany({ where: { projectId }, select: { userId: true }, take });
    const those = { where: { projectId, userId: { in: players.map(({ userId }) => userId) } } };
    await tx.playerChallenge.deleteMany(those);
    return (await tx.player.deleteMany(those)).count;
  },
  async (tx, projectId) => {
    const { count } = await tx.domainEvent.deleteMany(
      idsOf(await tx.domainEvent.findMany({ where: { projectId }, ...idOnly })),
    );
    return count;
  },
];

export interface DeletedProject {
  readonly id: string;
  readonly billingProjectId: string;
}

export class RemovalStore {
  constructor(private readonly database: Database) {}

  /** Of the projects that are deleted and still here the one that has waited longest. */
  next = (): Promise<DeletedProject | null> =>
    this.database.read.project.findFirst({
      where: { deletedAt: { not: null } },
      orderBy: { deletedAt: 'asc' },
      select: { id: true, billingProjectId: true },
    });

  /** Names of some recordings that messages of the project point at. */
  async recordings(projectId: string): Promise<string[]> {
    const rows = await this.database.read.message.findMany({
      where: { projectId, audioFile: { not: null } },
      select: { audioFile: true },
      take,
    });
    return rows.flatMap(({ audioFile }) => audioFile ?? []);
  }

  /** Messages forget recordings that are gone. */
  async forgetRecordings(projectId: string, audioFiles: readonly string[]): Promise<void> {
    await this.database.transaction((tx) =>
      tx.message.updateMany({ where: { projectId, audioFile: { in: [...audioFiles] } }, data: { audioFile: null } }),
    );
  }

  /** How many rows of each kind were removed, each kind in a transaction of its own; 0: none is left. */
  async removeSome(projectId: string): Promise<number> {
    let removed = 0;
    for (const some of kinds) removed += await this.database.transaction((tx) => some(tx, projectId));
    return removed;
  }

  /** The row of the project, what came while the rest was being removed, and what else knows the project by its id alone. */
  async finish({ id, billingProjectId }: DeletedProject): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.project.deleteMany({ where: { id } });
      await tx.webhookPayload.deleteMany({ where: { projectId: id } });
      await tx.domainEvent.deleteMany({ where: { projectId: id } });
      await tx.idempotencyRecord.deleteMany({ where: { projectId: id } });
      await tx.billingAccount.deleteMany({ where: { billingProjectId } });
    });
    await this.database.dropLeftovers();
  }
}
