/** Tries a plugin on recorded events, as `earshotd plugins test` does: nothing is stored. */
import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../../../../src/contract/events.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hears } from '../catalogue/manifest.js';
import { isRedacted, sessionOf } from '../host/event-subject.js';
import { settle } from '../instances/settings.js';
import type { PluginFinding, PluginRun, PluginSettings } from '../plugin.js';
import { Sandbox } from '../sandbox/sandbox.js';
import { callEndpoint } from './endpoint.js';
import type { OwnPlugin } from './plugin-folder.js';

export interface TrialResult {
  readonly event: DomainEvent;
  readonly findings: readonly PluginFinding[];
  readonly printed: readonly string[];
  /** null: it succeeded. */
  readonly error: string | null;
}

export class PluginTrial {
  private readonly sandbox: Sandbox;

  constructor(
    private readonly plugin: OwnPlugin,
    private readonly outbound: Outbound,
    /** Signs what goes to an endpoint. */
    private readonly secret: string,
    logger: Logger,
    private readonly now: Clock,
  ) {
    this.sandbox = new Sandbox(outbound, logger);
  }

  /** The results, in the order of the events that the plugin asks for. Throws plugin_settings_invalid. */
  async *on(events: readonly DomainEvent[], sent: PluginSettings): AsyncGenerator<TrialResult> {
    const { manifest } = this.plugin;
    const { settings, secrets } = settle(manifest, sent, null);
    for (const event of events.filter((one) => hears(manifest, one.type) && !isRedacted(one)))
      yield await this.one(event, { ...settings, ...secrets });
  }

  stop(): void {
    this.sandbox.stop();
    this.outbound.close();
  }

  private async one(event: DomainEvent, settings: PluginSettings): Promise<TrialResult> {
    const run: PluginRun = {
      actionId: randomUUID(),
      instanceId: 'test',
      tenantId: event.tenantId,
      projectId: event.projectId ?? '',
      settings,
      event,
      sessionId: sessionOf(event),
    };
    try {
      return { event, ...(await this.carryOut(run)), error: null };
    } catch (error) {
      return { event, findings: [], printed: [], error: error instanceof Error ? error.message : String(error) };
    }
  }

  private async carryOut(run: PluginRun): Promise<Pick<TrialResult, 'findings' | 'printed'>> {
    const { manifest, code } = this.plugin;
    if (code !== null) return this.sandbox.carryOut(code, run);
    const endpoint = { url: manifest.endpoint ?? '', secret: this.secret };
    return { findings: await callEndpoint(this.outbound, endpoint, run, this.now), printed: [] };
  }
}
