/** Battle passes as intake and players need them: with their levels and challenges in their order. */
import type { BattlePassLevel, LevelChallenge } from '../../../../src/contract/gameplay/battle-pass-levels.js';
import type { BattlePass } from '../../../../src/contract/gameplay/battle-passes.js';
import { dateOrNull } from '../../../platform/database/column-values.js';
import { type CountedFacts, countedFacts } from '../counted-facts.js';

export interface PassDefinition {
  readonly battlePass: BattlePass;
  readonly tenantId: string;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  readonly isUnlockedIncrementally: boolean;
  /** In their order. */
  readonly levels: readonly LevelDefinition[];
}

export interface LevelDefinition {
  readonly level: BattlePassLevel;
  readonly pass: PassDefinition;
  /** Among the levels of the pass. */
  readonly index: number;
  readonly challenges: readonly LevelChallengeDefinition[];
}

export interface LevelChallengeDefinition extends CountedFacts {
  readonly kind: 'level';
  readonly challenge: LevelChallenge;
  readonly level: LevelDefinition;
  /** Among the challenges of the level. */
  readonly index: number;
}

/** The fields that challenges of a level do not use, because the pass decides when they begin and end. */
const rulesOfThePass = {
  repeatable: false,
  autoActivated: false,
  resetPeriod: null,
  liveDate: null,
} as const;

/** @param levels of all these passes, in their order within each */
export function definePasses(
  tenantId: string,
  passes: readonly BattlePass[],
  levels: readonly BattlePassLevel[],
): PassDefinition[] {
  return passes.map((battlePass) => {
    const own: LevelDefinition[] = [];
    const pass: PassDefinition = {
      battlePass,
      tenantId,
      startDate: dateOrNull(battlePass.startDate),
      endDate: dateOrNull(battlePass.endDate),
      isUnlockedIncrementally: battlePass.isUnlockedIncrementally,
      levels: own,
    };
    for (const level of levels)
      if (level.battlePassId === battlePass.id) own.push(defineLevel(level, pass, own.length));
    return pass;
  });
}

function defineLevel(level: BattlePassLevel, pass: PassDefinition, index: number): LevelDefinition {
  const challenges: LevelChallengeDefinition[] = [];
  const defined: LevelDefinition = { level, pass, index, challenges };
  const { lateMinutes } = pass.battlePass;
  for (const challenge of level.challenges)
    challenges.push({
      kind: 'level',
      ...countedFacts({ ...challenge, ...rulesOfThePass, lateMinutes }, pass.tenantId, level.projectId),
      challenge,
      level: defined,
      index: challenges.length,
    });
  return defined;
}
