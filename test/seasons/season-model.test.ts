/** Applying any file creates its season, and the export is the same season again, on both databases. */
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../daemon/platform/database/database.js';
import { type Season, seasonOf } from '../../src/contract/gameplay/season.js';
import { SeasonFile } from '../../src/contract/gameplay/season-file.js';
import { readSeason, writeSeason } from '../../src/files/season-text.js';
import { databases } from '../support/database.js';
import { openGame } from '../support/game.js';
import { scale } from '../support/scale.js';
import { soundFile } from './arbitrary.js';

/** Passes and challenges are listed by their own order; levels and the challenges in them by the file's. */
const sorted = <T extends { readonly key: string }>(list: readonly T[]): T[] =>
  [...list].sort((one, other) => (one.key < other.key ? -1 : 1));
const comparable = ({ categories, challenges, battlePasses, leaderboards }: Season) => ({
  categories: sorted(categories.filter(({ key }) => key !== 'default')),
  ...{ challenges: sorted(challenges), battlePasses: sorted(battlePasses), leaderboards: sorted(leaderboards) },
});

describe.each(databases)('a season on $name', ({ open, here }) => {
  let opened: Awaited<ReturnType<typeof open>>;
  let game: Awaited<ReturnType<typeof openGame>>;
  const database = (): Database => opened.database;
  beforeAll(async () => {
    if (!here) return;
    opened = await open();
    game = await openGame(database());
  });
  afterAll(() => opened?.close());

  const newProject = async (): Promise<string> => {
    const id = uuidv7();
    const project = { id, tenantId: game.tenantId, name: id, billingProjectId: id, createdAt: new Date() };
    await database().transaction(async (tx) => void (await tx.project.create({ data: project })));
    return id;
  };
  const how = { dryRun: false, prune: true, allowEmpty: true, force: false };

  it.skipIf(!here)('becomes what one file after the other says, and is exported as the same', async () => {
    const files = fc.array(soundFile, { minLength: 2, maxLength: 3 });
    const same = fc.asyncProperty(files, async (list) => {
      const [service, projectId] = [game.seasons, await newProject()];
      for (const season of list) {
        const planned = await service.apply(projectId, { ...how, season, dryRun: true });
        expect((await service.apply(projectId, { ...how, season })).changes).toEqual(planned.changes);
        const { season: exported, changed } = await service.get(projectId);
        expect(comparable(exported)).toEqual(comparable(seasonOf(season)));
        expect(changed).toEqual([]);
        const again = readSeason(writeSeason(exported)).file;
        expect((await service.apply(projectId, { ...how, season: again })).changes).toEqual([]);
      }
    });
    await fc.assert(same, { numRuns: scale(2, 200) });
  });

  it.skipIf(!here)('keeps everything of other files without prune', async () => {
    const same = fc.asyncProperty(soundFile, soundFile, async (one, other) => {
      const [service, projectId] = [game.seasons, await newProject()];
      await service.apply(projectId, { ...how, season: one });
      const before = seasonOf(one);
      await service.apply(projectId, {
        ...how,
        prune: false,
        season: SeasonFile.parse({ ...other, battlePasses: [] }),
      });
      const after = (await service.get(projectId)).season;
      const keys = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key);
      expect(keys(after.challenges)).toEqual(expect.arrayContaining(keys(before.challenges)));
      expect(keys(after.leaderboards)).toEqual(expect.arrayContaining(keys(before.leaderboards)));
      expect(sorted(after.battlePasses)).toEqual(sorted(before.battlePasses));
    });
    await fc.assert(same, { numRuns: scale(1, 100) });
  });
});
