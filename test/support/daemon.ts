/** A whole daemon on free ports in a temporary folder, with the real client, a project and keys at hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Daemon } from '../../daemon/daemon.js';
import { loadSettings } from '../../daemon/platform/config/load.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { type Clock, systemClock } from '../../daemon/platform/time/clock.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { type RequiredScope, scopeNames } from '../../src/contract/scopes.js';
import { leaveKeysToNobody, makeDatabase } from './database.js';
import { eventually } from './eventually.js';

export const administrator = { email: 'admin@localhost', password: 'a long enough password' };

export interface TestDaemon {
  readonly url: string;
  readonly mqttUrl: string;
  readonly dataDir: string;
  /** Address of the database, in the form of `DATABASE_URL`. */
  readonly databaseUrl: string;
  /** Id of the project `default`. */
  readonly projectId: string;
  /** Logged in as the administrator. */
  readonly admin: EarshotClient;
  /** Client with a tenant-wide key that has every scope, and behind which is nobody who could decide about what it did. */
  readonly client: EarshotClient;
  readonly apiKey: string;
  /** A client with a fresh key that holds just these scopes. */
  clientWith(scopes: RequiredScope[], projectId?: string): Promise<EarshotClient>;
  /** Stops the daemon and starts it again on the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestDaemonOptions {
  readonly now?: Clock;
  readonly settings?: Readonly<Record<string, string>>;
  /** Puts things into the data folder before the daemon starts. */
  readonly prepare?: (dataDir: string) => void;
}

export async function startDaemon({
  now = systemClock,
  settings: extra = {},
  prepare = () => {},
}: TestDaemonOptions = {}): Promise<TestDaemon> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-daemon-'));
  const database = await makeDatabase(dataDir, extra);
  prepare(dataDir);
  const { settings } = loadSettings({
    environment: {},
    flags: {
      EARSHOT_PORT: '0',
      EARSHOT_MQTT_PORT: '0',
      EARSHOT_MEDIA_PORT: '0',
      EARSHOT_TRANSCRIBER: 'off',
      EARSHOT_LOG_LEVEL: 'error',
      EARSHOT_ADMIN_PASSWORD: administrator.password,
      EARSHOT_DATA_DIR: dataDir,
      ...extra,
      ...database.settings,
    },
  });
  const start = async () => {
    const daemon = new Daemon(settings, createLogger(settings.EARSHOT_LOG_LEVEL), now);
    await daemon.start();
    return daemon;
  };
  let daemon = await start();
  const anonymous = () => new EarshotClient({ baseUrl: daemon.addresses.http });
  const login = async () => {
    const { accessToken } = await anonymous().call(accountRoutes.loginCredentials, { body: administrator });
    return new EarshotClient({ baseUrl: daemon.addresses.http, credential: { kind: 'bearer', token: accessToken } });
  };
  let admin = await login();
  const createKey = async (scopes: RequiredScope[], projectId?: string) => {
    const body = { name: 'test', scopes, ...(projectId === undefined ? {} : { projectId }) };
    return (await admin.call(apiKeyRoutes.create, { body })).key;
  };
  const withKey = (key: string) =>
    new EarshotClient({ baseUrl: daemon.addresses.http, credential: { kind: 'apiKey', key } });
  const apiKey = await createKey([...scopeNames]);
  await leaveKeysToNobody(database.url);
  const [project] = await admin.call(projectRoutes.list, {});
  if (project === undefined) throw new Error('The first start made no project.');
  return {
    get url() {
      return daemon.addresses.http;
    },
    get mqttUrl() {
      return daemon.addresses.mqtt;
    },
    get admin() {
      return admin;
    },
    get client() {
      return withKey(apiKey);
    },
    apiKey,
    dataDir,
    databaseUrl: database.url,
    projectId: project.id,
    clientWith: async (scopes, projectId) => withKey(await createKey(scopes, projectId)),
    async restart() {
      await daemon.stop();
      // Its folder may be in use for longer than a daemon stops: a process would end here.
      daemon = await eventually(start);
      admin = await login();
    },
    async stop() {
      await daemon.stop();
      await database.remove();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
