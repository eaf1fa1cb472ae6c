/** Configuration of battle passes. */

import { DomainError } from '../../../../src/contract/errors.js';
import {
  type BattlePass,
  type BattlePassList,
  battlePassesPerProjectMax,
  type CreateBattlePassRequest,
  type UpdateBattlePassRequest,
} from '../../../../src/contract/gameplay/battle-passes.js';
import { type NamedPageQuery, textOf } from '../../../../src/contract/gameplay/localised-text.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { DeletionStore } from '../../game-events/deletion-store.js';
import { changed, utc } from '../../game-events/model/changed.js';
import { dateProblems } from '../../game-events/model/checks.js';
import { namedPage } from '../../game-events/model/localised.js';
import type { CountingConflicts } from '../counting-conflict-store.js';
import type { KeyedRowStore } from '../keyed-row-store.js';
import { hasEnded } from './rules.js';
import type { BattlePassStore } from './store.js';

/** With times in UTC. Throws validation_failed for dates in the wrong order. */
function checked(pass: BattlePass): BattlePass {
  const dates = { startDate: utc(pass.startDate), endDate: utc(pass.endDate) };
  const details = dateProblems(dates, 'body');
  if (details.length > 0) throw new DomainError('validation_failed', { details });
  return { ...pass, ...dates };
}

const challengesOf = async (store: Pick<BattlePassStore, 'levelsOf'>, tx: Transaction, id: string): Promise<string[]> =>
  (await store.levelsOf(tx, id)).flatMap(({ challenges }) => challenges.map((challenge) => challenge.id));

export class BattlePassService {
  constructor(
    private readonly database: Database,
    private readonly store: BattlePassStore,
    private readonly rows: Pick<KeyedRowStore, 'hidePasses'>,
    private readonly deletions: DeletionStore,
    private readonly conflicts: CountingConflicts,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, query: NamedPageQuery): Promise<BattlePassList> {
    const { rows, info } = await namedPage(query, {
      page: (page) => this.store.page(this.database.read, projectId, page),
      count: () => this.store.count(this.database.read, projectId),
      most: battlePassesPerProjectMax,
    });
    return { battlePasses: rows, ...info };
  }

  async get(projectId: string, id: string): Promise<BattlePass> {
    const pass = await this.store.find(this.database.read, projectId, id);
    if (pass === null) throw new DomainError('battle_pass_not_found');
    return pass;
  }

  /** Throws validation_failed, battle_pass_limit_reached. */
  create(projectId: string, request: CreateBattlePassRequest): Promise<BattlePass> {
    return this.database.transaction(async (tx) => {
      await this.store.begin(tx, projectId);
      if ((await this.store.count(tx, projectId)) >= battlePassesPerProjectMax)
        throw new DomainError('battle_pass_limit_reached');
      const at = this.now().toISOString();
      const pass = checked({
        ...request,
        id: uuidv7(),
        projectId,
        description: request.description ?? null,
        shortDescription: request.shortDescription ?? null,
        disclaimer: request.disclaimer ?? null,
        startDate: request.startDate ?? null,
        endDate: request.endDate ?? null,
        imageXs: request.imageXs ?? null,
        imageS: request.imageS ?? null,
        imageM: request.imageM ?? null,
        imageL: request.imageL ?? null,
        imageXl: request.imageXl ?? null,
        packageSkuIos: request.packageSkuIos ?? null,
        packageSkuAndroid: request.packageSkuAndroid ?? null,
        readMoreLink: request.readMoreLink ?? null,
        createdAt: at,
        updatedAt: at,
      });
      await this.store.insert(tx, pass);
      return pass;
    });
  }

  /** Throws validation_failed, counting_conflict. */
  update(projectId: string, id: string, request: UpdateBattlePassRequest): Promise<BattlePass> {
    return this.database.transaction(async (tx) => {
      await this.store.begin(tx, projectId);
      const before = await this.store.find(tx, projectId, id);
      if (before === null) throw new DomainError('battle_pass_not_found');
      const now = this.now();
      const after = checked({ ...changed(before, request), updatedAt: now.toISOString() });
      const endDate = after.endDate === null ? null : new Date(after.endDate);
      await this.store.save(tx, after, !hasEnded({ startDate: null, endDate }, now));
      if (after.endDate !== before.endDate)
        await this.conflicts.require(tx, projectId, await challengesOf(this.store, tx, id), now);
      return after;
    });
  }

  delete(projectId: string, id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.store.begin(tx, projectId);
      const pass = await this.store.find(tx, projectId, id);
      if (pass === null) throw new DomainError('battle_pass_not_found');
      const deleted = { kind: 'battlePass', id, name: textOf(pass.name) } as const;
      await this.rows.hidePasses(tx, [pass], await this.deletions.record(tx, projectId, [deleted]));
    });
  }
}
