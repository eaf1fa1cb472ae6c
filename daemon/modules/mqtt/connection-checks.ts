/** Disconnects MQTT clients whose right has ended since they connected, and clients that do not read. */
import type { Client } from 'aedes';
import type { Logger } from 'pino';
import { every } from '../../platform/time/ticks.js';
import type { Audience } from './audience.js';
import type { MqttAuthenticator } from './authenticator.js';
import { mqttLimits as limits } from './limits.js';
import type { Operators } from './operators.js';

interface CheckedConnections {
  readonly operators: Operators<Client>;
  /** The projects of clients with a player token. */
  readonly players: ReadonlyMap<Client, string>;
  readonly audience: Audience<Client>;
  readonly authenticator: Pick<MqttAuthenticator, 'confirms'>;
  readonly topics: { inReach(projectIds: readonly string[]): Promise<ReadonlySet<string>> };
  readonly log: Logger;
}

export class ConnectionChecks {
  private end: (() => void) | null = null;
  private isChecking = false;

  constructor(private readonly needs: CheckedConnections) {}

  start(): void {
    this.end = every(limits.credentialCheckMs, () => this.check());
  }

  stop(): void {
    this.end?.();
  }

  private check(): void {
    if (this.isChecking) return;
    this.isChecking = true;
    Promise.all([this.dismissRevoked(), this.dismissClosed()])
      .catch((error) => this.needs.log.warn({ err: error }, 'mqtt connections could not be checked'))
      .finally(() => {
        this.isChecking = false;
      });
  }

  /** Disconnects operators whose right has ended (one check per credential), and clients that do not read. */
  private async dismissRevoked(): Promise<void> {
    const { operators, authenticator } = this.needs;
    const asked = new Map<string, Promise<boolean>>();
    await Promise.all(
      [...operators.sessions()].map(async ([client, session]) => {
        const key = `${session.projectId} ${session.apiKey}`;
        const answer = asked.get(key) ?? authenticator.confirms(session);
        asked.set(key, answer);
        const reads = client.conn.writableLength <= limits.outboundBytesMax;
        if (!reads || !(await answer)) client.close();
      }),
    );
  }

  /** Disconnects players, and listeners to their topics, once the project is deleted or its tenant disabled. */
  private async dismissClosed(): Promise<void> {
    const { players, audience, topics } = this.needs;
    const named = new Set([...players.values(), ...audience.projects()]);
    if (named.size === 0) return;
    const open = await topics.inReach([...named]);
    const closed = new Set([...named].filter((projectId) => !open.has(projectId)));
    if (closed.size === 0) return;
    const leaving = new Set(audience.inProjects(closed));
    for (const [client, projectId] of players) if (closed.has(projectId)) leaving.add(client);
    for (const client of leaving) client.close();
  }
}
