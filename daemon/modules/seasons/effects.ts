/** Describes, in sentences, how changes of a season affect the progress that players have already made. */
import type { Season } from '../../../src/contract/gameplay/season.js';
import { noProgress, progressPlayersMax as playersMax } from '../../../src/contract/gameplay/season-routes.js';
import type { Reader } from '../../platform/database/database.js';
import { Pauses } from '../../platform/database/slices.js';
import type { KeyedRowStore } from '../challenges/keyed-row-store.js';
import type { BoardStore } from '../leaderboards/board-store.js';
import { type Change, objectsOf, type SeasonObject } from './objects.js';
import type { StoredRow } from './stored-season.js';

/** Changes for which players are counted; the sentences of others have no number. */
const countedChangesMax = 200;

/** Fields of a challenge whose change leaves something of what players have done as it is. */
const lasting: Readonly<Record<string, string>> = {
  eventName: 'counts of the old event stay',
  countProperty: 'counts stay',
  metadataConditions: 'counts stay',
  counting: 'counts stay',
  durationMinutes: 'players in progress keep their end',
  resetPeriod: 'players in progress keep the end of their period',
  lateMinutes: 'players in progress keep theirs',
};

const players = (count: number): string => {
  if (count >= playersMax) return `${playersMax.toLocaleString('en')} players or more`;
  return count === 1 ? '1 player' : `${count.toLocaleString('en')} players`;
};

export class SeasonEffects {
  constructor(
    private readonly rows: KeyedRowStore,
    private readonly boards: Pick<BoardStore, 'hasScores' | 'players'>,
    private readonly read: () => Reader,
  ) {}

  /** By path of the change. `rows`: of what is stored. */
  async effectsOf(
    changes: readonly Change[],
    whole: Season,
    rows: ReadonlyMap<string, StoredRow>,
  ): Promise<Map<string, string[]>> {
    const objects = objectsOf(whole);
    const effects = new Map<string, string[]>();
    const pauses = new Pauses();
    let counted = 0;
    for (const change of changes) {
      const row = rows.get(change.path);
      if (row === undefined) continue;
      counted += 1;
      const sentences = await this.sentences(
        change,
        objects.get(change.path),
        counted > countedChangesMax ? null : row.id,
      );
      effects.set(change.path, sentences);
      await pauses.next();
    }
    return effects;
  }

  /** `id`: null where players are not counted. */
  private async sentences(change: Change, after: SeasonObject | undefined, id: string | null): Promise<string[]> {
    if (change.action === 'remove') return this.removed(change, id);
    if (change.kind !== 'challenge' && change.kind !== 'levelChallenge') return whatElse(change);
    const goal = change.fields.find(({ field }) => field === 'goal');
    const others = change.fields.flatMap(({ field }) =>
      lasting[field] === undefined ? [] : `${field}: ${lasting[field]}`,
    );
    return goal === undefined || after === undefined ? others : [...(await this.goalMoved(after, id)), ...others];
  }

  private async goalMoved({ fields }: SeasonObject, id: string | null): Promise<string[]> {
    const { goal, goalCondition, counting } = fields;
    const whoHas = 'Players who have reached the old goal keep it.';
    if (typeof goal !== 'number') return [];
    const outcome = goalCondition === 1 ? 'loses it for them' : 'finishes it for them';
    const next = counting === 'total' ? 'the next event that counts' : 'the next event of the same session';
    if (id === null) return [`Counters stay; for players at ${goal} or more, ${next} ${outcome}. ${whoHas}`];
    const { looked, begun, reached } = await this.rows.progress(this.read(), id, goal, playersMax);
    const of = looked < playersMax ? '' : `Of ${players(looked)}, as far as they were examined: `;
    if (begun === 0) return [`${of}${of === '' ? 'N' : 'n'}obody is in progress. ${whoHas}`];
    const keep = `${of}${players(begun)} in progress keep${begun === 1 ? 's' : ''} the counter`;
    if (reached === 0) return [`${keep}; nobody has counted ${goal} yet. ${whoHas}`];
    return [`${keep}; ${players(reached)} at ${goal} or more: ${next} ${outcome}. ${whoHas}`];
  }

  /** Players whose progress goes with the object; null: nobody has progress in objects of the kind. */
  async players(kind: Change['kind'] | undefined, id: string): Promise<number | null> {
    if (kind === undefined || kind === 'category') return null;
    if (kind === 'leaderboard') return this.boards.players(this.read(), id, playersMax);
    return this.rows.players(this.read(), kind === 'levelChallenge' ? 'challenge' : kind, id, playersMax);
  }

  private async removed({ kind }: Change, id: string | null): Promise<string[]> {
    if (kind === 'category') return [];
    if (kind === 'leaderboard') {
      const isEmpty = id !== null && !(await this.boards.hasScores(this.read(), id));
      return [isEmpty ? noProgress.leaderboard : 'Its ranking and its archive are deleted.'];
    }
    if (id === null) return ['The progress of every player in it is deleted.'];
    const count = (await this.players(kind, id)) ?? 0;
    return [count === 0 ? noProgress.players : `The progress of ${players(count)} is deleted.`];
  }
}

const whatElse = ({ kind, fields }: Change): string[] => {
  const names = fields.map(({ field }) => field);
  if (kind === 'leaderboard' && names.some((name) => name === 'countProperty' || name === 'metadataConditions'))
    return ['Scores stay; later events count by the new rules.'];
  if (kind === 'level' && names.includes('position')) return ['Players keep the levels that they have activated.'];
  return [];
};
