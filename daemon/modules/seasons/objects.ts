/** A season as a flat list of objects with their fields, each found by its keys; and how two seasons differ. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../../../src/contract/gameplay/localised-text.js';
import type { Season } from '../../../src/contract/gameplay/season.js';
import type {
  SeasonChange,
  SeasonConflict,
  SeasonFieldChange,
  SeasonObjectKind,
} from '../../../src/contract/gameplay/season-routes.js';

export interface SeasonObject {
  readonly kind: SeasonObjectKind;
  readonly path: string;
  /** Name that people know the object by. */
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Difference between two seasons, before its effects are known. */
export type Change = Omit<SeasonChange, 'effects'>;

export const pathOf = {
  category: (key: string) => `categories/${key}`,
  challenge: (key: string) => `challenges/${key}`,
  battlePass: (key: string) => `battlePasses/${key}`,
  level: (pass: string, key: string) => `battlePasses/${pass}/levels/${key}`,
  levelChallenge: (pass: string, level: string, key: string) =>
    `battlePasses/${pass}/levels/${level}/challenges/${key}`,
  leaderboard: (key: string) => `leaderboards/${key}`,
};

/** By path, in the order of the season, containers before their contents. */
export function objectsOf(season: Season): Map<string, SeasonObject> {
  const objects = new Map<string, SeasonObject>();
  const add = (kind: SeasonObjectKind, path: string, name: string, fields: Readonly<Record<string, unknown>>) =>
    objects.set(path, { kind, path, name, fields });
  for (const { key, ...one } of season.categories) add('category', pathOf.category(key), textOf(one.name), one);
  for (const { key, ...one } of season.challenges) add('challenge', pathOf.challenge(key), textOf(one.name), one);
  for (const { key: pass, levels, ...one } of season.battlePasses) {
    add('battlePass', pathOf.battlePass(pass), textOf(one.name), one);
    for (const { key: level, challenges, ...fields } of levels) {
      add('level', pathOf.level(pass, level), '', fields);
      challenges.forEach(({ key, ...challenge }, index) => {
        const place = { place: index + 1 };
        add('levelChallenge', pathOf.levelChallenge(pass, level, key), textOf(challenge.name), {
          ...challenge,
          ...place,
        });
      });
    }
  }
  for (const { key, ...one } of season.leaderboards) add('leaderboard', pathOf.leaderboard(key), textOf(one.name), one);
  return objects;
}

const fieldsThatDiffer = (before: SeasonObject, after: SeasonObject): SeasonFieldChange[] =>
  Object.keys(after.fields)
    .filter((field) => !isDeepStrictEqual(before.fields[field], after.fields[field]))
    .map((field) => ({ field, before: before.fields[field] ?? null, after: after.fields[field] ?? null }));

/** The changes that turn one season into the other. Removals come last, containers before their contents. */
export function changesBetween(before: Season, after: Season): Change[] {
  const [old, next] = [objectsOf(before), objectsOf(after)];
  const changes = [...next.values()].flatMap(({ kind, path, name, fields }): Change[] => {
    const stored = old.get(path);
    if (stored === undefined) return [{ action: 'create', kind, path, name, fields: [] }];
    const differing = fieldsThatDiffer(stored, { kind, path, name, fields });
    return differing.length === 0 ? [] : [{ action: 'update', kind, path, name, fields: differing }];
  });
  const gone = [...old.values()].filter(({ path }) => !next.has(path));
  return [
    ...changes,
    ...gone.map(({ kind, path, name }): Change => ({ action: 'remove', kind, path, name, fields: [] })),
  ];
}

const written = (value: unknown): string => JSON.stringify(value);

/** How the daemon's season differs from the one that was applied, in words. */
export const changedSince = (applied: Season, current: Season): SeasonConflict[] =>
  changesBetween(applied, current).map((change) => ({ path: change.path, message: described(change) }));

const described = ({ action, fields }: Change): string => {
  if (action === 'create') return 'was created';
  if (action === 'remove') return 'was deleted';
  return fields.map(({ field, before, after }) => `${field} was ${written(before)}, is ${written(after)}`).join('; ');
};

/**
 * Returns the changes that overwrite what the daemon's season has of its own since `applied`. A file that says what the
 * daemon now has overwrites nothing.
 */
export function conflictsOf(changes: readonly Change[], applied: Season, current: Season): SeasonConflict[] {
  const own = new Map(changesBetween(applied, current).map((change) => [change.path, change]));
  return changes.flatMap((change) => {
    const made = own.get(change.path);
    if (made === undefined) return [];
    if (change.action === 'update' && made.action === 'update') {
      const both = made.fields.filter(({ field }) => change.fields.some((one) => one.field === field));
      return both.length === 0 ? [] : [{ path: change.path, message: described({ ...made, fields: both }) }];
    }
    return [{ path: change.path, message: described(made) }];
  });
}
