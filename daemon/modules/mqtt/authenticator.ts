/**
 * Who is connected to the broker. Anybody may connect without a credential and subscribe to the
 * topics whose names they know; an operator connects with project and API key and may follow the project's events.
 */
import { apiKeyLengthMax } from '../../platform/http/authentication.js';

interface OperatorCredentials {
  /** Whether the API key holds the scope `events` for the project, now. */
  mayFollow(projectId: string, apiKey: string): Promise<boolean>;
}

interface PlayerCredentials {
  /** Rejects with player_token_invalid. */
  verify(token: string): Promise<{ readonly projectId: string }>;
}

export interface OperatorSession {
  readonly kind: 'operator';
  readonly projectId: string;
  readonly apiKey: string;
}
interface PlayerSession {
  readonly kind: 'player';
  /** Of the token; null: none was shown. */
  readonly projectId: string | null;
}
type Session = OperatorSession | PlayerSession;

export class MqttAuthenticator {
  constructor(
    private readonly operators: OperatorCredentials,
    private readonly players: PlayerCredentials,
  ) {}

  /**
   * null: the credential is not valid. A player token gives no extra right; it is checked so that its holder learns
   * when it has expired.
   */
  async admit(username: string | undefined, password: string | undefined): Promise<Session | null> {
    if (password === undefined) return username === undefined ? { kind: 'player', projectId: null } : null;
    if (password.length > apiKeyLengthMax) {
      return this.players.verify(password).then(
        ({ projectId }) => ({ kind: 'player', projectId }),
        () => null,
      );
    }
    if (username === undefined || !(await this.operators.mayFollow(username, password))) return null;
    return { kind: 'operator', projectId: username, apiKey: password };
  }

  /** Whether the operator would still be admitted. */
  confirms({ projectId, apiKey }: OperatorSession): Promise<boolean> {
    return this.operators.mayFollow(projectId, apiKey);
  }
}

export const operatorTopic = (projectId: string, type: string): string => `projects/${projectId}/events/${type}`;

/** Whether a filter lies within what an operator of the project may follow. A project id holds no wildcard. */
export const withinProject = (projectId: string, filter: string): boolean =>
  !/[+#/]/.test(projectId) && filter.startsWith(operatorTopic(projectId, ''));
