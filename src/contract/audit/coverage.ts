/**
 * Calls that the audit log records. Every change is recorded unless it stands here with its reason; reads are recorded
 * only where they stand here. The daemon asks this table for every call, so no operation can be forgotten.
 */
import { z } from 'zod';
import { maskedSecret } from '../projects/settings.js';
import type { CredentialKind, Route } from '../route.js';

/** Callers of an operation that are recorded: everybody, people who signed in, or nobody. */
type RecordedCalls = 'everybody' | 'users' | 'nobody';

interface Exception {
  readonly of: RecordedCalls;
  readonly because: string;
}

const nobody = (because: string): Exception => ({ of: 'nobody', because });
const users = (because: string): Exception => ({ of: 'users', because });
const everybody = (because: string): Exception => ({ of: 'everybody', because });

const forPlayers = users('with a key, a game server does it for its players');
const noChange = nobody('it changes nothing');

export const auditExceptions: Readonly<Record<string, Exception>> = {
  refreshToken: nobody('a login goes on; the login itself is recorded'),
  renewConsoleSession: nobody('a login goes on; the login itself is recorded'),
  sendEvent: nobody('what players do'),
  sendEvents: nobody('what players do'),
  reportInRoom: nobody('what players do'),
  blockInRoom: nobody('what players do'),
  unblockInRoom: nobody('what players do'),
  complainWithCode: nobody('what players do; the report names the complaint'),
  appealStatement: nobody('what players do; the review names the appeal'),
  generateAccessToken: nobody('a game server asks for one for each of its players'),
  readUserInvitation: noChange,
  startDeviceLogin: noChange,
  listMessageAnnotations: noChange,
  verifyFunctionCredentials: noChange,
  testRule: noChange,
  getPlayerTopic: noChange,
  getLeaderboardTopic: noChange,
  createStreamTicket: nobody('it opens a stream, which is not recorded either'),
  createProjectStreamTicket: nobody('it opens a stream, which is not recorded either'),

  generateToken: forPlayers,
  generateProjectToken: forPlayers,
  createPlayerToken: forPlayers,
  createMessage: forPlayers,
  createReport: forPlayers,
  blockPerson: forPlayers,
  unblockPerson: forPlayers,
  createParticipant: forPlayers,
  updateParticipant: forPlayers,
  createGathering: forPlayers,
  updateGathering: forPlayers,
  startGathering: forPlayers,
  endGathering: forPlayers,
  joinGathering: forPlayers,
  addGatheringMember: forPlayers,
  updateGatheringMember: forPlayers,
  moveGatheringMember: forPlayers,
  removeGatheringMember: forPlayers,
  sendGatheringInvitations: forPlayers,
  acceptGatheringInvitation: forPlayers,
  declineGatheringInvitation: forPlayers,
  sendPlayerEvent: forPlayers,
  importGameEvents: forPlayers,
  unlockPlayerChallenge: forPlayers,
  activatePlayerChallenge: forPlayers,
  cancelPlayerChallenge: forPlayers,
  claimPlayerChallenge: forPlayers,
  unlockPlayerBattlePass: forPlayers,
  grantPlayerBattlePassPremium: forPlayers,
  activatePlayerBattlePassLevel: forPlayers,
  claimPlayerBattlePassLevel: forPlayers,

  getProjectSecret: everybody('it shows a secret'),
  getSettings: everybody('it may show the password of end-to-end encryption'),
  getReportAudio: everybody('somebody listens to a recording of a person'),
  getDebugAudio: everybody('somebody listens to a recording of a person'),
  exportGameEvents: everybody('data leaves in bulk'),
  exportPerson: everybody('data leaves in bulk'),
  exportAudit: everybody('data leaves in bulk'),
  exportTenantAudit: everybody('data leaves in bulk'),
};

const WithPassword = z.object({ e2eEncryptionPassword: z.string() });

/** True if this answer shows a secret, for reads that show it to some only. All other reads are recorded each time. */
const givesAway: Readonly<Record<string, (answer: unknown) => boolean>> = {
  getSettings: (answer) => {
    const { success, data } = WithPassword.safeParse(answer);
    return success && data.e2eEncryptionPassword !== maskedSecret;
  },
};

/** null: the call is recorded whatever it answers. */
export const recordedAnswers = ({ operationId }: Route): ((answer: unknown) => boolean) | null =>
  givesAway[operationId] ?? null;

const ofTeams: readonly CredentialKind[] = ['apiKey', 'bearer', 'roomToken'];

/** Returns the callers of the route that are recorded; never players or platform services alone. */
export function recordedCalls({ operationId, method, auth }: Route): RecordedCalls {
  const stated = auditExceptions[operationId]?.of;
  if (stated !== undefined) return stated;
  const isOpen = auth.length === 0 || auth.some((kind) => ofTeams.includes(kind));
  return method !== 'get' && isOpen ? 'everybody' : 'nobody';
}
