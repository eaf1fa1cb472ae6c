/**
 * Authenticates clients of the broker. Anybody may connect without a credential and subscribe to the
 * topics whose names they know; an operator connects with project and API key and may follow the project's events.
 */
import { apiKeyLengthMax } from '../../platform/http/authentication.js';

interface OperatorCredentials {
  /** The tenant of the API key if it holds the scope `events` for the project, now; null: it does not. */
  tenantFollowing(projectId: string, apiKey: string): Promise<string | null>;
}

interface ConnectedPlayer {
  readonly tenantId: string;
  readonly projectId: string;
  readonly userId: string;
}

interface PlayerCredentials {
  /** Rejects with player_token_invalid. */
  verify(token: string): Promise<ConnectedPlayer>;
}

export interface OperatorSession {
  readonly kind: 'operator';
  readonly tenantId: string;
  readonly projectId: string;
  readonly apiKey: string;
}
interface PlayerSession {
  readonly kind: 'player';
  /** The holder of the token; null: none was shown. */
  readonly player: ConnectedPlayer | null;
}
export type MqttSession = OperatorSession | PlayerSession;

export class MqttAuthenticator {
  constructor(
    private readonly operators: OperatorCredentials,
    private readonly players: PlayerCredentials,
  ) {}

  /**
   * null: the credential is not valid. A player token gives no extra right; it is checked so that its holder learns
   * when it has expired. Empty counts as absent: some clients always send both fields.
   */
  async admit(givenName?: string, givenPassword?: string): Promise<MqttSession | null> {
    const username = givenName === '' ? undefined : givenName;
    const password = givenPassword === '' ? undefined : givenPassword;
    if (password === undefined) return username === undefined ? { kind: 'player', player: null } : null;
    if (password.length > apiKeyLengthMax) {
      return this.players.verify(password).then(
        (player) => ({ kind: 'player', player }),
        () => null,
      );
    }
    if (username === undefined) return null;
    const tenantId = await this.operators.tenantFollowing(username, password);
    return tenantId === null ? null : { kind: 'operator', tenantId, projectId: username, apiKey: password };
  }

  /** Resolves to true if the operator would still be admitted. */
  async confirms({ projectId, apiKey }: OperatorSession): Promise<boolean> {
    return (await this.operators.tenantFollowing(projectId, apiKey)) !== null;
  }
}

export const operatorTopic = (projectId: string, type: string): string => `projects/${projectId}/events/${type}`;

/** Returns what a filter says below the project's events; null: it leads beyond. A project id holds no wildcard. */
export function filterWithin(projectId: string, filter: string): string | null {
  const beginning = operatorTopic(projectId, '');
  return !/[+#/]/.test(projectId) && filter.startsWith(beginning) ? filter.slice(beginning.length) : null;
}
