/** The order in which cases are listed: by rank, and those of people who speak now as if they had waited a day longer. */
import type { CaseListQuery, CasePage } from '../../../../src/contract/reports/cases.js';
import { idsAtOnce } from '../../../platform/database/database.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { GoneHolders } from '../../moderation/claim-holders.js';
import type { RoomsAnywhere } from '../../rooms/elsewhere/rooms-anywhere.js';
import { type CaseFilter, type CaseRow, type CaseStore, toCase } from './case-store.js';
import { speakingPoints } from './priority.js';

interface CaseRankingNeeds {
  readonly cases: Pick<CaseStore, 'count' | 'list'>;
  readonly rooms: Pick<RoomsAnywhere, 'list'>;
}

export class CaseRanking {
  constructor(private readonly needs: CaseRankingNeeds) {}

  async page(
    projectId: string,
    { limit, after, ...filter }: CaseFilter & Pick<CaseListQuery, 'limit' | 'after'>,
    now: Date,
    gone: GoneHolders,
  ): Promise<CasePage> {
    const { cases } = this.needs;
    const speaking = filter.status === 'decided' ? new Set<string>() : await this.speaking(projectId);
    const place = after === undefined ? null : placeIn(after);
    const found: { readonly row: CaseRow; readonly key: number }[] = [];
    const behind = place === null ? null : { ...place, rank: place.rank - speakingPoints };
    for (const some of slicesOf([...speaking], idsAtOnce)) {
      const rows = await cases.list(projectId, filter, now, { people: some, after: behind, take: limit + 1 }, gone);
      found.push(...rows.map((row) => ({ row, key: row.rank + speakingPoints })));
    }
    const isOther = ({ externalUserId }: CaseRow) => externalUserId === null || !speaking.has(externalUserId);
    const take = speaking.size === 0 ? limit + 1 : Math.max(limit + 1, idsAtOnce);
    for (let from = place, others = 0; others <= limit; ) {
      const rows = await cases.list(projectId, filter, now, { people: null, after: from, take }, gone);
      const some = rows.filter(isOther);
      found.push(...some.map((row) => ({ row, key: row.rank })));
      others += some.length;
      const last = rows.at(-1);
      if (last === undefined || rows.length < take) break;
      from = last;
    }
    found.sort((a, b) => b.key - a.key || (a.row.id < b.row.id ? -1 : 1));
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      cases: shown.map(({ row }) => toCase(row, now, speaking, gone)),
      total: await cases.count(projectId, filter, now, gone),
      next: last === undefined ? null : `${last.key}_${last.row.id}`,
    };
  }

  /** Returns who speaks in rooms of the project. */
  async speaking(projectId: string): Promise<ReadonlySet<string>> {
    // The daemon that has the rooms may be away: cases are listed and decided all the same.
    const rooms = await this.needs.rooms.list(projectId).catch(() => []);
    return new Set(rooms.flatMap(({ speaking }) => speaking));
  }
}

function placeIn(cursor: string): { readonly rank: number; readonly id: string } {
  const at = cursor.indexOf('_');
  return { rank: Number(cursor.slice(0, at)), id: cursor.slice(at + 1) };
}
