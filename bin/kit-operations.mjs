// The operations that the kits for game engines have, by their names in the contract.
import { allRoutes } from '../dist/src/contract/routes.js';

/** Operations of players that the kits leave out, each with the reason. */
const leftOut = {
  sendEvent: 'sendEvents does the same',
  getUserInfoForSdk: 'another path of getUserInfo',
  setUserInfoForSdk: 'another path of setUserInfo',
  getUnresolvedPersonalChallenges: 'the same as getPersonalChallenges',
  generateWebsocketAccessToken: 'topics need no token',
};

export const playerOperations = allRoutes
  .filter(({ auth }) => auth.includes('playerToken'))
  .map(({ operationId }) => operationId)
  .filter((id) => !Object.hasOwn(leftOut, id));

export const serverOperations = [
  ...['createPlayerToken', 'getPlayer', 'grantPlayerBattlePassPremium', 'importGameEvents', 'getAvailableEvents'],
  ...['createParticipant', 'getParticipant', 'listActiveUserSanctions', 'generateProjectToken'],
  ...allRoutes.filter(({ group }) => group === 'Gatherings').map(({ operationId }) => operationId),
];

/** A repeat of these after a lost answer is refused, so the client reads the challenge: the states that the action leads to. */
export const challengeActions = {
  activatePersonalChallenge: ['in-progress'],
  cancelPersonalChallenge: ['unlock'],
  claimPersonalChallengeReward: ['finished', 'unlock'],
};
