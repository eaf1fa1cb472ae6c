/** Two daemons as an operator has them: processes of their own on one PostgreSQL, each of which can be killed. */
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import type { ScopeName } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { administrator, DaemonProcess } from './daemon-process.js';
import { type PostgresqlServer, startPostgresql } from './postgresql.js';

const masterKey = 'ef'.repeat(32);
/** Settings for all daemons of a database but one. */
export const withoutVoice = { EARSHOT_ROLES: 'http,delivery,jobs,broker' };

export class TwoDaemons {
  private constructor(
    private readonly server: PostgresqlServer,
    readonly daemons: readonly [DaemonProcess, DaemonProcess],
    private readonly token: string,
    readonly projectId: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<TwoDaemons> {
    const server = await startPostgresql();
    const both = { ...settings, DATABASE_URL: server.url, EARSHOT_MASTER_KEY: masterKey };
    const daemons = [new DaemonProcess(both), new DaemonProcess({ ...both, ...withoutVoice })] as const;
    await Promise.all(daemons.map((daemon) => daemon.start()));
    const [{ url: baseUrl }] = daemons;
    const login = { body: administrator };
    const { accessToken } = await new EarshotClient({ baseUrl }).call(accountRoutes.loginCredentials, login);
    const client = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token: accessToken } });
    const [project] = await client.call(projectRoutes.list, {});
    return new TwoDaemons(server, daemons, accessToken, project?.id ?? '');
  }

  get databaseUrl(): string {
    return this.server.url;
  }

  /** Calls the one or the other as its administrator. */
  client = (which: 0 | 1): EarshotClient =>
    new EarshotClient({ baseUrl: this.daemons[which].url, credential: { kind: 'bearer', token: this.token } });

  /** A key of the project. */
  key = (scopes: ScopeName[]): Promise<{ key: string }> =>
    this.client(0).call(apiKeyRoutes.create, { body: { name: 'suite', scopes, ...this.params() } });

  params = () => ({ projectId: this.projectId });

  session = async (): Promise<string> =>
    (
      await this.client(0).call(sessionRoutes.create, {
        params: this.params(),
        body: { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false },
      })
    ).id;

  async stop(): Promise<void> {
    for (const daemon of this.daemons) await daemon.dispose();
    await this.server.stop();
  }
}
