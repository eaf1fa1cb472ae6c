/** Puts what a season file configures into an empty project, and says which object got which key. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { SeasonFile } from '../../../../src/contract/gameplay/season-file.js';
import type { gameplayEngine } from '../engine.js';

/** Keys by id; of a level `pass level`. */
export interface SeasonObjects {
  readonly challenges: ReadonlyMap<string, string>;
  readonly passes: ReadonlyMap<string, string>;
  readonly levels: ReadonlyMap<string, string>;
  readonly boards: ReadonlyMap<string, string>;
}

/** Throws validation_failed, with the path in the file, and what else configuring refuses. */
export async function configure(
  engine: ReturnType<typeof gameplayEngine>,
  projectId: string,
  file: SeasonFile,
): Promise<SeasonObjects> {
  const { challenges, passes, levels } = engine.configuration;
  const made = { challenges: new Map(), passes: new Map(), levels: new Map(), boards: new Map() } as const;
  const categories = new Map<string, string>();
  for (const [index, { key, ...category }] of file.categories.entries()) {
    const request = { ...category, slug: key, position: category.position ?? index };
    categories.set(key, (await named(`categories.${key}`, challenges.createCategory(projectId, request))).id);
  }
  for (const { key, category, ...challenge } of file.challenges) {
    const categoryId = categories.get(category) ?? null;
    const request = { ...challenge, ...(categoryId === null ? {} : { categoryId }) };
    made.challenges.set((await named(`challenges.${key}`, challenges.create(projectId, request))).id, key);
  }
  for (const { key, levels: ofPass, ...pass } of file.battlePasses) {
    const { id } = await named(`battlePasses.${key}`, passes.create(projectId, pass));
    made.passes.set(id, key);
    let behind = 0;
    for (const { key: levelKey, challenges: ofLevel, ...level } of ofPass) {
      behind = level.position ?? behind + 1;
      const request = { ...level, position: behind, challenges: ofLevel.map(({ key: _, ...challenge }) => challenge) };
      const creation = levels.create(projectId, id, request);
      const { id: levelId } = await named(`battlePasses.${key}.levels.${levelKey}`, creation);
      made.levels.set(levelId, `${key} ${levelKey}`);
    }
  }
  for (const { key, ...board } of file.leaderboards)
    made.boards.set((await named(`leaderboards.${key}`, engine.boards.service.create(projectId, board))).id, key);
  return made;
}

/** A refusal names the object of the file. */
async function named<T>(path: string, creation: Promise<T>): Promise<T> {
  try {
    return await creation;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const details = error.details?.map((one) => ({ ...one, path: one.path.replace(/^body/, path) }));
    const message = details === undefined ? `${path}: ${error.message}` : error.message;
    throw new DomainError(error.code, { message, ...(details === undefined ? {} : { details }) });
  }
}
