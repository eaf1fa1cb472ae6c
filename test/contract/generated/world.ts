/** A daemon with neighbours (an identity provider, a billing system) and a clock that moves when it is told to. */
import { randomUUID } from 'node:crypto';
import { Database, type Transaction } from '../../../daemon/platform/database/database.js';
import { EarshotClient } from '../../../src/client/earshot-client.js';
import { accountRoutes } from '../../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import type { ProjectRole } from '../../../src/contract/route.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { type HostingServer, startHostingApi } from '../../support/hosting-api.js';
import { type ForeignProvider, startIdentityProvider } from '../../support/identity-provider.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

export const billedSecret = 'ab'.repeat(32);
export const password = 'a password of length';
const secondMs = 1_000;
/** The clock here runs ahead of the provider's. */
const daySeconds = 86_400;
const nobodyThere = 'http://127.0.0.1:9';

/** Somebody with a role in a project, signed in. */
export interface WorldPerson {
  readonly email: string;
  readonly token: string;
  readonly permissionId: string;
}

export class World {
  private readonly others: TestDaemon[] = [];

  private constructor(
    readonly daemon: TestDaemon,
    readonly provider: ForeignProvider,
    /** Answers what `behave` says. */
    readonly billing: Receiver,
    readonly hosting: HostingServer,
    private readonly clock: { time: Date },
    private readonly settings: Readonly<Record<string, string>>,
    private readonly database: Database,
  ) {}

  /** @param databaseUrl as `DATABASE_URL` has it; undefined: what the run is on */
  static async make(databaseUrl?: string, time = new Date()): Promise<World> {
    const clock = { time };
    const provider = await startIdentityProvider();
    const billing = await startReceiver();
    const hosting = await startHostingApi();
    const settings = {
      EARSHOT_RATE_LIMIT_ADDRESS: '0',
      EARSHOT_RATE_LIMIT_CREDENTIAL: '0',
      EARSHOT_LOG_LEVEL: 'fatal',
    };
    const daemon = await startDaemon({
      now: () => clock.time,
      settings: {
        ...settings,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        ...provider.settings,
        EARSHOT_TRUSTED_PROXIES: '127.0.0.1',
        EARSHOT_BILLING_URL: new URL(billing.url).origin,
        EARSHOT_BILLING_TOKEN: 'token of billing',
        EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32',
      },
    });
    const database = await Database.connect(daemon.databaseUrl);
    const world = new World(daemon, provider, billing, hosting, clock, settings, database);
    world.bills({ status: 200, body: JSON.stringify({ secret: billedSecret }) });
    return world;
  }

  async stop(): Promise<void> {
    await this.database.close();
    await Promise.all([this.daemon.stop(), ...this.others.map((other) => other.stop())]);
    await Promise.all([this.provider.stop(), this.billing.stop(), this.hosting.stop()]);
  }

  get client(): EarshotClient {
    return this.daemon.client;
  }

  get admin(): EarshotClient {
    return this.daemon.admin;
  }

  /** The project that calls name when they name none; it has settings. */
  get projectId(): string {
    return this.daemon.projectId;
  }

  /** Returns the address of a daemon without neighbours. */
  urlAlone = (): Promise<string> => this.urlOfAnother({});

  /** Returns the address of a daemon whose identity provider does not answer. */
  urlOrphan = (): Promise<string> =>
    this.urlOfAnother({ ...this.provider.settings, EARSHOT_IDENTITY_URL: nobodyThere });

  private async urlOfAnother(settings: Readonly<Record<string, string>>): Promise<string> {
    const other = await startDaemon({ settings: { ...this.settings, ...settings } });
    this.others.push(other);
    return other.url;
  }

  pass(seconds: number): void {
    this.clock.time = new Date(this.clock.time.getTime() + seconds * secondMs);
  }

  /** A time so many seconds from now on. */
  inSeconds = (seconds: number): string => new Date(this.clock.time.getTime() + seconds * secondMs).toISOString();

  bills(behaviour: { status: number; body: string }): void {
    this.billing.behave = () => behaviour;
  }

  /** Writes rows that the API would take too long to make. */
  rows = (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> => this.database.transaction(work);

  /** Without settings. */
  async bareProject(): Promise<string> {
    return (await this.admin.call(projectRoutes.create, { body: { name: randomUUID() } })).id;
  }

  async project(): Promise<string> {
    const projectId = await this.bareProject();
    await this.client.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
    return projectId;
  }

  /** The token of an invitation that nobody has accepted. */
  async invitation(email: string, role: ProjectRole = 'viewer', projectId = this.projectId) {
    const params = { projectId };
    const invited = await this.admin.call(projectUserRoutes.invite, { params, body: { email, role } });
    return { ...invited, token: new URL(invited.invitationUrl ?? '').hash.replace('#token=', '') };
  }

  /** A verified person whom the provider knows; the token signs them in. */
  async stranger(email = `${randomUUID()}@example.com`): Promise<{ email: string; sessionId: string }> {
    this.provider.know(email, { email, email_verified: true });
    return { email, sessionId: await this.provider.accessToken(email, { expiresInSeconds: daySeconds }) };
  }

  async person(role: ProjectRole = 'viewer', projectId = this.projectId): Promise<WorldPerson> {
    const { email, sessionId } = await this.stranger();
    const { permissionId } = await this.invitation(email, role, projectId);
    const response = await fetch(this.daemon.url + accountRoutes.login.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...newAddress() },
      body: JSON.stringify({ sessionId }),
    });
    return { email, permissionId, token: String(Reflect.get(Object(await response.json()), 'accessToken')) };
  }

  /** Somebody who signs in with the password. */
  async personWithPassword(): Promise<{ email: string; token: string }> {
    const email = `${randomUUID()}@example.com`;
    const { token } = await this.invitation(email);
    const response = await fetch(this.daemon.url + accountRoutes.acceptInvitation.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...newAddress() },
      body: JSON.stringify({ token, password }),
    });
    return { email, token: String(Reflect.get(Object(await response.json()), 'accessToken')) };
  }

  clientOf = (token: string): EarshotClient =>
    new EarshotClient({ baseUrl: this.daemon.url, credential: { kind: 'bearer', token } });
}

let addresses = 0;
/** Each request comes from an address of its own, so that attempts of one do not count against the next. */
export function newAddress(): { readonly 'X-Forwarded-For': string } {
  addresses += 1;
  return { 'X-Forwarded-For': `2001:db8:${(addresses & 0xffff).toString(16)}::1` };
}
