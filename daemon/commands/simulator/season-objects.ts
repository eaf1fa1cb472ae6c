/**
 * Puts what a season file configures into an empty project, as `gameplay apply` does, and says which object got which
 * id.
 */
import type { SeasonFile } from '../../../src/contract/gameplay/season-file.js';
import type { Seasons } from '../../modules/seasons/module.js';
import { pathOf } from '../../modules/seasons/objects.js';

/** Ids by key. */
export interface SeasonObjects {
  readonly ofChallenge: (key: string) => string;
  readonly ofLevel: (pass: string, key: string) => string;
  readonly ofBoard: (key: string) => string;
}

/** Throws validation_failed, with the path in the file. */
export async function configure(
  seasons: Seasons['service'],
  projectId: string,
  file: SeasonFile,
): Promise<SeasonObjects> {
  await seasons.apply(projectId, {
    season: { ...file, players: [] },
    dryRun: false,
    prune: false,
    allowEmpty: false,
    force: false,
  });
  const ids = await seasons.idsOf(projectId);
  const at = (path: string): string => {
    const id = ids.get(path);
    if (id === undefined) throw new Error(`${path} was applied and is not there.`);
    return id;
  };
  return {
    ofChallenge: (key) => at(pathOf.challenge(key)),
    ofLevel: (pass, key) => at(pathOf.level(pass, key)),
    ofBoard: (key) => at(pathOf.leaderboard(key)),
  };
}
