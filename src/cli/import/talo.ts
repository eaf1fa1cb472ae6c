/** Reads Talo's API (https://docs.trytalo.com): the entries of leaderboards, and the players in them. */
import { z } from 'zod';
import type { SourceBoard } from './boards.js';
import type { BoardShape, FileContent } from './file-sources.js';
import type { SourceApi } from './source-api.js';

const Entry = z.object({
  score: z.number(),
  playerAlias: z.object({ identifier: z.coerce.string() }),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
});
const Page = z.object({ entries: z.array(Entry), isLastPage: z.boolean().nullish() });

/** `boards`: internal names of leaderboards. A player is who the game says they are: the identifier of the alias. */
export async function taloContent(api: SourceApi, boards: readonly string[], shape: BoardShape): Promise<FileContent> {
  const found: SourceBoard[] = [];
  for (const id of boards) {
    const best = new Map<string, SourceBoard['scores'][number]>();
    const path = `/v1/leaderboards/${encodeURIComponent(id)}/entries`;
    for (let page = 0; ; page += 1) {
      const { entries, isLastPage } = api.read(path, Page, await api.get(path, { page }));
      // A board that is not unique has several entries of a player, the best of them earlier.
      for (const { score, playerAlias, updatedAt, createdAt } of entries)
        if (!best.has(playerAlias.identifier))
          best.set(playerAlias.identifier, {
            userId: playerAlias.identifier,
            score,
            at: updatedAt ?? createdAt ?? null,
          });
      if (isLastPage !== false || entries.length === 0) break;
    }
    found.push({ id, name: id, sortOrder: shape.sortOrder, aggregate: shape.aggregate, scores: [...best.values()] });
  }
  const people = new Set(found.flatMap(({ scores }) => scores.map(({ userId }) => userId)));
  return { people: [...people].map((id) => ({ id, externalUserId: id })), boards: found };
}
