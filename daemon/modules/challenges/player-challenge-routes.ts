/** `/api/v1/challenges`: a player's challenges, in the shapes of the public SDK. */
import {
  type ActionResponse,
  type PersonalChallengeCategory,
  playerChallengeRoutes,
} from '../../../src/contract/gameplay/player-challenges.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { PlayerCaller } from '../../platform/http/caller.js';
import { textIn } from '../game-events/model/localised.js';
import { playerIn } from '../game-events/model/player.js';
import type { ChallengeAction } from './not-possible.js';
import type { ChallengeOfPlayer, PlayerChallenges } from './player-challenges.js';
import { personalChallenge } from './views.js';

interface ListQuery {
  readonly language: string;
  readonly include_categories?: readonly string[];
  readonly exclude_categories?: readonly string[];
}
interface ListCall {
  readonly caller: PlayerCaller;
  readonly params: { readonly appId: string };
  readonly query: ListQuery;
}
interface ActionCall {
  readonly caller: PlayerCaller;
  readonly params: { readonly appId: string; readonly challengeId: string };
  readonly query: { readonly language: string };
}

export const playerChallengeRouter = (challenges: PlayerChallenges): BoundRoute[] => {
  const list =
    (wanted: (challenge: ChallengeOfPlayer) => boolean) =>
    async ({ caller, params, query }: ListCall): Promise<PersonalChallengeCategory[]> => {
      const { language, include_categories: included = [], exclude_categories: excluded = [] } = query;
      const { all, challenges: found } = await challenges.list(playerIn(caller, params.appId));
      const shown = found.filter(wanted);
      return all.categories
        .map((category, index) => ({
          is_daily_category: category.isDaily,
          category_position: index,
          category_slug: category.slug,
          category_name: textIn(category.name, language),
          category_id: category.id,
          challenges: shown
            .filter(({ definition }) => definition.categoryIndex === index)
            .map(({ definition, announced }) => personalChallenge(definition, announced, language)),
        }))
        .filter(({ category_id: id, category_slug: slug }) => {
          const named = (names: readonly string[]) => names.includes(id) || names.includes(slug);
          return (included.length === 0 || named(included)) && !named(excluded);
        });
    };
  const act =
    (action: ChallengeAction, status: number) =>
    async ({ caller, params, query }: ActionCall): Promise<ActionResponse> => {
      const player = playerIn(caller, params.appId);
      return challenges.act(player, params.challengeId, action, ({ definition, announced }) => ({
        status,
        message: 'OK',
        challenge: personalChallenge(definition, announced, query.language),
      }));
    };
  const unfinished = ({ progress }: ChallengeOfPlayer) => progress.state !== 'finished';
  return bind(playerChallengeRoutes, {
    open: list(unfinished),
    all: list(() => true),
    unresolved: list(unfinished),
    active: list(({ progress }) => progress.state === 'in-progress'),
    get: async ({ caller, params, query }) => {
      const { definition, announced } = await challenges.find(playerIn(caller, params.appId), params.challengeId);
      return personalChallenge(definition, announced, query.language);
    },
    unlock: act('unlock', 201),
    activate: act('activate', 200),
    cancel: act('cancel', 200),
    claim: act('claim', 200),
  });
};
