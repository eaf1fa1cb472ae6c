/**
 * Gameplay events carry a player token, so that the receiver can act for the player; created for each attempt, never
 * stored.
 */

interface TokenSigner {
  sign(player: { tenantId: string; projectId: string; userId: string }): Promise<string>;
}

interface Delivered {
  readonly tenantId: string;
  readonly projectId: string;
  readonly content: { readonly subjectUserId: string | null };
  readonly eventType: string;
}

const gameplayEvent = /^(challenge|battlepass|leaderboard)\./;

/** Field that is added to the bare data of an event. */
export const playerTokenField =
  (tokens: TokenSigner) =>
  async ({
    tenantId,
    projectId,
    content: { subjectUserId: userId },
    eventType,
  }: Delivered): Promise<Record<string, string>> =>
    userId !== null && gameplayEvent.test(eventType)
      ? { user_token: await tokens.sign({ tenantId, projectId, userId }) }
      : {};
