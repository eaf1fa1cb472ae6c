/**
 * Reads what a hosted service of challenges, battle passes and leaderboards shows to a player, by its API: boards with their
 * scores, and the rest as a season file. The API does not say which event a challenge counts: the file leaves that open.
 */
import { z } from 'zod';
import type { SourceBoard } from './boards.js';
import type { BoardShape, FileContent } from './file-sources.js';
import type { SourceApi } from './source-api.js';

const Text = z.string().nullish();
const Whole = z.number().nullish();
const SourceChallenge = z.object({
  challenge_id: z.string(),
  challenge_name: Text,
  challenge_description: Text,
  challenge_goal: z.number(),
  challenge_goal_condition: Whole,
  challenge_duration_time: Whole,
  challenge_xp: Whole,
  challenge_reward: Text,
  challenge_reward_type: Text,
  repeatable: z.boolean().nullish(),
  challenge_auto_activated: z.boolean().nullish(),
});
const Category = z.object({ category_slug: z.string(), category_name: Text, challenges: z.array(SourceChallenge) });
const Pass = z.object({
  battle_pass_id: z.string(),
  battle_pass_name: Text,
  battle_pass_description: Text,
  start_date: Text,
  end_date: Text,
});
const Level = z.object({
  level_id: z.string(),
  reward_amount: Text,
  level_reward_type: Text,
  challenges: z.array(SourceChallenge),
});
const Ranking = z.object({
  member_id: z.string(),
  score: z.number(),
  additional_info: z.object({ username: Text }).nullish(),
});
const Board = z.object({
  leaderboard_id: z.string(),
  name: Text,
  grouped_by_users: z.array(Ranking),
  num_users: Whole,
});

const pageRows = 100;

/** Season keys are slugs, and no two are the same. */
class SeasonKeys {
  private readonly given = new Set<string>();

  of(text: string): string {
    const slug =
      text
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '')
        .slice(0, 40) || 'one';
    let key = slug;
    for (let number = 2; this.given.has(key); number += 1) key = `${slug}-${number}`;
    this.given.add(key);
    return key;
  }
}

const stated = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

const challengeOf = (one: z.output<typeof SourceChallenge>) => ({
  name: one.challenge_name ?? one.challenge_id,
  // To be filled in: the service shows it to nobody.
  eventName: '',
  goal: one.challenge_goal,
  ...stated({
    description: one.challenge_description,
    goalCondition: one.challenge_goal_condition,
    durationMinutes: one.challenge_duration_time,
    xp: one.challenge_xp,
  }),
});

export interface GameplayContent extends FileContent {
  /** As `earshot gameplay apply` reads it, once events are filled in. */
  readonly season: { readonly categories: unknown[]; readonly challenges: unknown[]; readonly battlePasses: unknown[] };
}

export async function gameplayContent(api: SourceApi, app: string, shape: BoardShape): Promise<GameplayContent> {
  const appId = encodeURIComponent(app);
  const categories = await api.list(`/api/v1/challenges/personal/all/${appId}`, ['categories'], Category);
  const categoryKeys = new SeasonKeys();
  const challengeKeys = new SeasonKeys();
  const passKeys = new SeasonKeys();
  const season: GameplayContent['season'] = { categories: [], challenges: [], battlePasses: [] };
  for (const { category_slug, category_name, challenges } of categories) {
    const category = categoryKeys.of(category_slug);
    season.categories.push({ key: category, name: category_name ?? category });
    for (const one of challenges)
      season.challenges.push({
        key: challengeKeys.of(one.challenge_name ?? one.challenge_id),
        category,
        ...challengeOf(one),
        ...stated({
          repeatable: one.repeatable,
          autoActivated: one.challenge_auto_activated,
          reward: one.challenge_reward,
          rewardType: one.challenge_reward_type,
        }),
      });
  }
  for (const pass of await api.list(`/api/v1/battle-passes/${appId}`, ['battlePasses'], Pass)) {
    const levels = await api.list(`/api/v1/battle-pass-levels/${appId}/${pass.battle_pass_id}`, ['levels'], Level);
    const levelKeys = new SeasonKeys();
    season.battlePasses.push({
      key: passKeys.of(pass.battle_pass_name ?? pass.battle_pass_id),
      name: pass.battle_pass_name ?? pass.battle_pass_id,
      ...stated({ description: pass.battle_pass_description, startDate: pass.start_date, endDate: pass.end_date }),
      levels: levels.map(({ reward_amount, level_reward_type, challenges }, index) => {
        const inLevel = new SeasonKeys();
        return {
          key: levelKeys.of(`level-${index + 1}`),
          ...stated({ rewardAmount: reward_amount, rewardType: level_reward_type?.toLowerCase() }),
          challenges: challenges.map((one) => ({
            key: inLevel.of(one.challenge_name ?? one.challenge_id),
            ...challengeOf(one),
          })),
        };
      }),
    });
  }
  return { season, ...(await boardsOf(api, shape)) };
}

async function boardsOf(api: SourceApi, { sortOrder, aggregate }: BoardShape): Promise<FileContent> {
  const boards: SourceBoard[] = [];
  const names = new Map<string, string | null>();
  for (const { leaderboard_id: id, name } of await api.list('/api/v1/leaderboards', ['leaderboards'], Board)) {
    const scores: SourceBoard['scores'][number][] = [];
    for (let page = 1; ; page += 1) {
      const path = `/api/v1/leaderboards/${id}`;
      const board = api.read(path, Board, await api.get(path, { currentPage: page, pageSize: pageRows }));
      for (const { member_id, score, additional_info } of board.grouped_by_users) {
        scores.push({ userId: member_id, score, at: null });
        names.set(member_id, additional_info?.username ?? names.get(member_id) ?? null);
      }
      if (board.grouped_by_users.length < pageRows || scores.length >= (board.num_users ?? 0)) break;
    }
    boards.push({ id, name: name ?? id, sortOrder, aggregate, scores });
  }
  return { boards, people: [...names].map(([id, displayName]) => ({ id, externalUserId: id, displayName })) };
}
