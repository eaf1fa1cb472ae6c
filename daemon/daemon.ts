/** The composition root: the platform, the modules on it, and the order in which their parts start and stop. */
import { writeFileSync } from 'node:fs';
import { ControlServer } from './admin-socket/server.js';
import type { FirstAdministrator } from './modules/identity/accounts/bootstrap.js';
import type { Identity } from './modules/identity/module.js';
import { modulesOf } from './modules.js';
import { roles as everyRole, type Role, type Settings } from './platform/config/schema.js';
import { adminPasswordFile } from './platform/data-folder.js';
import type { UpgradePlan } from './platform/database/copy-before.js';
import { type Foundation, openFoundation } from './platform/foundation.js';
import { apiPart } from './platform/http/api.js';
import { edgeOf } from './platform/http/edge.js';
import { Deadline } from './platform/lifecycle/deadline.js';
import { Lifecycle, type Parts } from './platform/lifecycle/lifecycle.js';
import { Serving } from './platform/lifecycle/serving.js';
import { inRoles, inStages, modulePart, partsOf } from './platform/module.js';
import type { Logger } from './platform/observability/logger.js';
import { watchModule } from './platform/observability/watch.js';
import { platformOf } from './platform/platform.js';
import { type Clock, systemClock } from './platform/time/clock.js';
import { version } from './platform/version.js';

/**
 * Parts that have not stopped by then are abandoned; the rest of the time is for what comes after, closing the
 * database.
 */
const partsStopMs = 4_500;
/** From the stop signal until everything has ended. */
const stopMs = 5_000;

interface Addresses {
  readonly http: string;
  readonly mqtt: string;
  /** UDP port of the voice rooms; 0 where this daemon has none. */
  readonly media: number;
}

export class Daemon {
  private readonly lifecycle: Lifecycle;
  private foundation: Foundation | null = null;
  private readonly serving = new Serving();
  private addressesNow: () => Addresses = () => ({ http: '', mqtt: '', media: 0 });
  /** Set by the first start of an installation. */
  firstAdministrator: FirstAdministrator | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
    private readonly now: Clock = systemClock,
    /** Is told before an upgrade of the database holds the process up. */
    private readonly upgrades: (plan: UpgradePlan) => void = () => {},
  ) {
    this.lifecycle = new Lifecycle(logger);
  }

  get addresses(): Addresses {
    return this.addressesNow();
  }

  async start(): Promise<void> {
    const foundation = await openFoundation(this.settings, this.now, this.logger, this.upgrades);
    this.foundation = foundation;
    try {
      await this.lifecycle.start(await this.compose(foundation));
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.logger.info({ ...this.addresses, version }, 'listening');
  }

  /** Before `stop`: requests still come, and are answered, until load balancers have noticed. */
  drain = (): Promise<void> => this.serving.drain(this.settings.EARSHOT_STOP_DELAY_SECONDS);

  /** Within five seconds, even when a part hangs. */
  async stop(): Promise<void> {
    const deadline = new Deadline(stopMs);
    await this.lifecycle.stop(new Deadline(partsStopMs));
    const closed = this.foundation?.close() ?? Promise.resolve();
    this.foundation = null;
    if (!(await deadline.met(closed))) this.logger.warn('the database took too long to close');
  }

  private async compose(foundation: Foundation): Promise<Parts> {
    const { settings, logger, now } = this;
    const platform = await platformOf(foundation, settings, logger, now);
    const { listener, dataDir } = platform;
    const { all, operations, access, accounts, identity, carrier, mqtt, audit } = await modulesOf(platform);
    const roles = new Set<Role>(settings.EARSHOT_ROLES ?? everyRole);
    const media = () => (roles.has('voice') ? carrier.engine.port : 0);
    this.addressesNow = () => ({ http: listener.url, mqtt: mqtt.url(), media: media() });

    const own = { probe: this.serving.probe };
    const probes = inRoles([own, ...all.flatMap((one) => one.probes ?? [])], roles).map(({ probe }) => probe);
    const edge = edgeOf(platform, all, access, accounts, audit.trail);
    const watch = watchModule(platform, probes, edge);
    const control = new ControlServer(dataDir, operations, logger);
    for (const metric of all.flatMap(({ metrics }) => metrics ?? [])) platform.metrics.scrape(metric);
    return [
      ...inStages([
        ...partsOf(all, roles, platform),
        modulePart('control', control),
        ...watch.parts,
        apiPart(platform, [watch, ...all], { edge, roles, outage: watch.outage }),
      ]),
      // After everything else has started: a start that fails, for example because a port is taken, has not used up the
      // password.
      { name: 'first-administrator', start: () => this.makeAdministrator(identity, dataDir) },
      { name: 'service', start: () => this.serve(listener, carrier.role) },
    ];
  }

  private async serve(listener: Parameters<Serving['begin']>[0], voice: { renew(): Promise<void> }): Promise<void> {
    await voice.renew(); // with the address, which is known only now
    this.serving.begin(listener);
  }

  private async makeAdministrator(identity: Identity, dataDir: string): Promise<void> {
    this.firstAdministrator = await identity.firstAdministrator((password) =>
      writeFileSync(adminPasswordFile(dataDir), `${password}\n`, { mode: 0o600, flush: true }),
    );
  }
}
