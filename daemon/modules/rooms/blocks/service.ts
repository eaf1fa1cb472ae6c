/** Blocks: stored, announced, counted in the case of the blocked person, and in force in rooms when the request is answered. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  AnnouncedBlock,
  type BlockListQuery,
  type BlockListResponse,
  type PlayerBlock,
} from '../../../../src/contract/people/blocks.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { BlockEnforcement } from './enforcement.js';
import type { BlockRow, BlockStore } from './store.js';

/** Whoever weighs a person by the number of those who block them. */
interface BlockersCounted {
  blockersChanged(tx: Transaction, projectId: string, externalUserId: string): Promise<void>;
}

interface BlockNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly blocks: BlockStore;
  readonly people: Pick<ParticipantDirectory, 'byEither' | 'lock'>;
  readonly cases: BlockersCounted;
  readonly enforcement: Pick<BlockEnforcement, 'enforce'>;
  readonly now: Clock;
}

type BlockScope = Pick<ProjectGrant, 'tenantId' | 'projectId'>;

export class BlockService {
  constructor(private readonly needs: BlockNeeds) {}

  /** Returns the external user id of a person who is named by either id. */
  async named(projectId: string, user: string): Promise<string> {
    return (await this.needs.people.byEither(projectId, user))?.externalUserId ?? user;
  }

  /** Returns the block that there is already. Throws block_self, block_limit_reached. */
  async create(project: BlockScope, externalUserId: string, blockedUserId: string): Promise<PlayerBlock> {
    const { database, blocks, people, enforcement, now } = this.needs;
    const { projectId } = project;
    if (externalUserId === blockedUserId) throw new DomainError('block_self');
    const key = { projectId, externalUserId, blockedUserId };
    const row = await database.transaction(async (tx) => {
      await people.lock(tx, projectId, [externalUserId, blockedUserId].sort());
      await database.takeTurn(tx, `blocks:${projectId}:${externalUserId}`);
      const known = await blocks.find(tx, key);
      if (known !== null) return known;
      if ((await blocks.count(projectId, 'externalUserId', externalUserId, tx)) >= limits.player_blocks.max) {
        countRefusal('player_blocks');
        throw new DomainError('block_limit_reached');
      }
      const made = await blocks.insert(tx, { ...key, createdAt: now() });
      await this.announce(tx, 'block.created', project, made);
      return made;
    });
    await enforcement.enforce(projectId, externalUserId);
    return toBlock(project, row);
  }

  /** Does nothing where there is none. */
  async remove(project: BlockScope, externalUserId: string, blockedUserId: string): Promise<void> {
    const { database, blocks, enforcement } = this.needs;
    const { projectId } = project;
    const key = { projectId, externalUserId, blockedUserId };
    await database.transaction(async (tx) => {
      await database.takeTurn(tx, `blocks:${projectId}:${externalUserId}`);
      const row = await blocks.find(tx, key);
      if (row !== null && (await blocks.remove(tx, key))) await this.announce(tx, 'block.deleted', project, row);
    });
    await enforcement.enforce(projectId, externalUserId);
  }

  async list(
    project: BlockScope,
    externalUserId: string,
    { limit, offset, after, byOthers = false }: BlockListQuery,
  ): Promise<BlockListResponse> {
    const { projectId } = project;
    const side = byOthers ? 'blockedUserId' : 'externalUserId';
    const [rows, total] = await Promise.all([
      this.needs.blocks.list(projectId, side, externalUserId, { limit, offset, after }),
      this.needs.blocks.count(projectId, side, externalUserId),
    ]);
    return { blocks: rows.map((row) => toBlock(project, row)), total, limit, offset };
  }

  /** The event does not say who is blocked: every viewer reads it. */
  private async announce(
    tx: Transaction,
    type: 'block.created' | 'block.deleted',
    project: BlockScope,
    row: BlockRow,
  ): Promise<void> {
    const { tenantId, projectId } = project;
    await this.needs.cases.blockersChanged(tx, projectId, row.blockedUserId);
    await this.needs.log.append(tx, {
      ...{ type, tenantId, projectId },
      resourceId: `block:${row.externalUserId}`,
      action: type === 'block.created' ? 'created' : 'deleted',
      data: AnnouncedBlock.parse(toBlock(project, row)),
      subjectUserId: null,
    });
  }
}

const toBlock = ({ tenantId }: BlockScope, { createdAt, ...row }: BlockRow): PlayerBlock => ({
  tenantId,
  ...row,
  createdAt: createdAt.toISOString(),
});
