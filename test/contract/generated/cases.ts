/** Every case, by operation id. What is not here needs nothing to be there before. */
import type { Cases } from './case.js';
import { accessCases } from './cases/access.js';
import { battlePassCases } from './cases/battle-passes.js';
import { blockCases } from './cases/blocks.js';
import { caseCases } from './cases/cases.js';
import { functionCases } from './cases/functions.js';
import { gameplayCases } from './cases/gameplay.js';
import { gatheringCases } from './cases/gatherings.js';
import { leaderboardCases } from './cases/leaderboards.js';
import { moderationCases } from './cases/moderation.js';
import { pluginCases } from './cases/plugins.js';
import { reportCases } from './cases/reports.js';
import { roomModerationCases } from './cases/room-moderation.js';
import { ruleCases } from './cases/rules.js';
import { voiceCases } from './cases/voice.js';
import { webhookCases } from './cases/webhooks.js';

export const cases: Cases = {
  ...accessCases,
  ...voiceCases,
  ...roomModerationCases,
  ...moderationCases,
  ...reportCases,
  ...blockCases,
  ...caseCases,
  ...gatheringCases,
  ...pluginCases,
  ...ruleCases,
  ...webhookCases,
  ...functionCases,
  ...gameplayCases,
  ...battlePassCases,
  ...leaderboardCases,
};
