/** The list of limits: everybody who has one names it there, and /metrics and docs/reference/limits.md show all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type LimitName, limits } from '../../../daemon/platform/limits/catalogue.js';
import { countRefusal, countWait, limitMetrics } from '../../../daemon/platform/limits/refusals.js';
import {
  challengesPerLevelMax,
  levelChallengesPerProjectMax,
  levelsPerBattlePassMax,
} from '../../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassesPerProjectMax } from '../../../src/contract/gameplay/battle-passes.js';
import { categoriesPerProjectMax } from '../../../src/contract/gameplay/challenge-categories.js';
import { challengesPerProjectMax } from '../../../src/contract/gameplay/challenges.js';
import { leaderboardsPerProjectMax } from '../../../src/contract/gameplay/leaderboards.js';
import { batchItemsMax } from '../../../src/contract/moderation/sanction-batches.js';
import { templatesMax } from '../../../src/contract/moderation/sanction-templates.js';
import { blocksMax } from '../../../src/contract/people/blocks.js';
import { notesMax } from '../../../src/contract/people/participant-records.js';
import { rulesPerProjectMax } from '../../../src/contract/rules/rules.js';
import { subscriptionsMax } from '../../../src/contract/webhooks/webhooks.js';

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const names = Object.keys(limits) as LimitName[];

describe('the list of limits', () => {
  it('has no limit that nobody has', () => {
    const sources = readdirSync(path('daemon'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('generated') && !name.endsWith('limits/catalogue.ts'))
      .map((name) => readFileSync(path(`daemon/${name}`), 'utf8'))
      .join('');
    expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
    const isAsked = (name: LimitName) =>
      new RegExp(`limits\\.${name}\\.max|new (FairTurns|GroupCommit)\\(\\s*'${name}'`).test(sources);
    const withFigures = Object.entries(limits).flatMap(([name, limit]) => ('max' in limit ? [name as LimitName] : []));
    expect(withFigures.filter((name) => !isAsked(name))).toEqual([]);
  });

  it('has the number of objects, too, as the contract limits them', () => {
    const page = readFileSync(path('docs/operating.md'), 'utf8');
    const most: Record<string, number> = {
      'challenges of a project': challengesPerProjectMax,
      'categories of challenges of a project': categoriesPerProjectMax,
      'battle passes of a project': battlePassesPerProjectMax,
      'levels of a battle pass': levelsPerBattlePassMax,
      'challenges of a level': challengesPerLevelMax,
      'challenges in the levels of a project': levelChallengesPerProjectMax,
      'leaderboards of a project': leaderboardsPerProjectMax,
      'rules of a project': rulesPerProjectMax,
      'webhooks of a project': subscriptionsMax,
      'templates for sanctions of a project': templatesMax,
      'sanctions of a batch': batchItemsMax,
      'notes about a person': notesMax,
      'people whom a person blocks': blocksMax,
    };
    const rows = Object.entries(most).map(([of, count]) => `| ${of} | ${count.toLocaleString('en-US')} |`);
    expect(page).toContain(['| Of | At most |', '| --- | --- |', ...rows].join('\n'));
  });

  it('is counted in /metrics, each limit by its name: refusals, or waits', async () => {
    const figures = () => Promise.all(limitMetrics.map(async ({ name, read }) => [name, await read()] as const));
    const before = Object.fromEntries(await figures());
    countRefusal('mails');
    countWait('log_pages');
    const after = Object.fromEntries(await figures());
    expect(
      Object.values(after)
        .flatMap((one) => Object.keys(one))
        .toSorted(),
    ).toEqual(names.toSorted());
    const grown = (metric: string, name: LimitName) => (after[metric] as Record<string, number>)[name] as number;
    const was = (metric: string, name: LimitName) => (before[metric] as Record<string, number>)[name] as number;
    expect(grown('limit_refusals', 'mails')).toBe(was('limit_refusals', 'mails') + 1);
    expect(grown('limit_waits', 'log_pages')).toBe(was('limit_waits', 'log_pages') + 1);
  });
});
