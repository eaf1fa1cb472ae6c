/** Plugins in projects: installed, set up, enabled, disabled and uninstalled. */

import { DomainError } from '../../../../src/contract/errors.js';
import type {
  CreatePluginInstanceRequest,
  PluginInstance,
  PluginInstanceWithPlugin,
  UpdatePluginInstanceRequest,
} from '../../../../src/contract/plugins/plugins.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { isUniqueViolation } from '../../../platform/database/errors.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ActionStore } from '../actions/action-store.js';
import { type Manifest, toPlugin } from '../catalogue/manifest.js';
import type { PluginSettings } from '../plugin.js';
import { type InstanceRow, type InstanceStore, type InstanceValues, settingsOf } from './instance-store.js';
import { masked, type StoredSettings, settle } from './settings.js';

/** Every plugin by its slug. */
export interface Manifests {
  /** null: there is none. */
  manifest(slug: string): Promise<Manifest | null>;
  /** A sentence that says so, with the nearest. */
  noSuch(slug: string): Promise<string>;
}

/** Runs that are deleted in one transaction. */
const removedAtOnce = 500;
const context = (id: string): string => `plugin:${id}:secrets`;

interface PluginInstancesNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly instances: InstanceStore;
  readonly actions: ActionStore;
  readonly plugins: Manifests;
  readonly box: SecretBox;
  readonly now: Clock;
}

export class PluginInstances {
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly needs: PluginInstancesNeeds) {}

  /** Calls the listener when an instance of this daemon has changed. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  async list(projectId: string, enabled?: boolean): Promise<PluginInstanceWithPlugin[]> {
    const rows = await this.needs.instances.list(projectId);
    const wanted = rows.filter((row) => enabled === undefined || row.enabled === enabled);
    const setAside = await this.needs.actions.setAsideOf(wanted.map(({ id }) => id));
    return Promise.all(wanted.map((row) => this.withPlugin(row, setAside.get(row.id) ?? 0)));
  }

  /** Throws plugin_instance_not_found. */
  async get(projectId: string, id: string): Promise<PluginInstanceWithPlugin> {
    const row = await this.existing(projectId, id);
    return this.withPlugin(row, (await this.needs.actions.setAsideOf([id])).get(id) ?? 0);
  }

  /** Throws plugin_unknown, plugin_settings_invalid, plugin_already_installed. */
  async create(
    { tenantId, projectId }: ProjectGrant,
    { pluginId: pluginSlug, settings = {}, enabled }: CreatePluginInstanceRequest,
  ): Promise<PluginInstance> {
    const id = uuidv7();
    const now = this.needs.now();
    const stored = settle(await this.manifest(pluginSlug), settings, null);
    const row = { id, tenantId, projectId, pluginSlug, enabled, createdAt: now, updatedAt: now };
    const made = await this.needs.database
      .transaction(async (tx) => {
        const inserted = await this.needs.instances.insert(tx, { ...row, ...this.columns(id, stored) });
        if (enabled) await this.begin(tx, inserted);
        return inserted;
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new DomainError('plugin_already_installed') : error;
      });
    this.notifyListeners();
    return this.toInstance(made);
  }

  /**
   * Changes what is sent. Throws plugin_instance_not_found, plugin_unknown, plugin_settings_invalid,
   * secret_needed_again.
   */
  async update(
    projectId: string,
    id: string,
    { settings, enabled }: UpdatePluginInstanceRequest,
  ): Promise<PluginInstance> {
    const { pluginSlug } = await this.existing(projectId, id);
    const manifest = settings === undefined ? null : await this.manifest(pluginSlug);
    const after = await this.needs.database.transaction(async (tx) => {
      const before = await this.existing(projectId, id, tx);
      const stored =
        manifest === null || settings === undefined ? null : settle(manifest, settings, this.stored(before));
      const row = await this.needs.instances.update(tx, id, {
        ...(stored === null ? {} : this.columns(id, stored)),
        ...(enabled === undefined ? {} : { enabled }),
        updatedAt: this.needs.now(),
      });
      if (enabled === true && !before.enabled) await this.begin(tx, row);
      if (enabled === false && before.enabled) await this.halt(tx, id);
      return row;
    });
    this.notifyListeners();
    return this.toInstance(after);
  }

  /** Queues the runs that were set aside. Throws plugin_instance_not_found. */
  async resume(projectId: string, id: string): Promise<{ id: string; resumed: number }> {
    const resumed = await this.needs.database.transaction(async (tx) => {
      await this.existing(projectId, id, tx);
      return this.needs.actions.resume(tx, id, this.needs.now());
    });
    this.notifyListeners();
    return { id, resumed };
  }

  /** With its runs, in batches: no transaction blocks others for long. Throws plugin_instance_not_found. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    await this.existing(projectId, id);
    const removeRuns = (tx: Transaction) => this.needs.actions.removeOf(tx, id, removedAtOnce);
    while ((await this.needs.database.transaction(removeRuns)) === removedAtOnce);
    await this.needs.database.transaction(async (tx) => {
      await this.existing(projectId, id, tx);
      await this.needs.instances.remove(tx, id);
    });
    this.notifyListeners();
    return { id, deleted: true };
  }

  /** The settings with the secret values, for a run. */
  open(row: InstanceRow): PluginSettings {
    const { settings, secrets } = this.stored(row);
    return { ...settings, ...secrets };
  }

  /** Starts the instance at the end of the log, so that it runs on later events alone. */
  private async begin(tx: Transaction, row: InstanceRow): Promise<void> {
    await this.needs.actions.skipOpen(tx, row.id, this.needs.now());
    await this.needs.instances.beginAt(tx, row, await this.needs.log.head(), this.needs.now());
  }

  private async halt(tx: Transaction, id: string): Promise<void> {
    await this.needs.instances.stopAt(tx, id);
    await this.needs.actions.skipDisabled(tx, this.needs.now(), id);
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private columns(id: string, { settings, secrets }: StoredSettings): Pick<InstanceValues, 'settings' | 'secrets'> {
    const none = Object.keys(secrets).length === 0;
    return {
      settings,
      secrets: none ? null : this.needs.box.seal(JSON.stringify(secrets), context(id)),
    };
  }

  private stored(row: InstanceRow): StoredSettings {
    const { id, secrets } = row;
    return {
      settings: settingsOf(row),
      secrets: secrets === null ? {} : JSON.parse(this.needs.box.open(secrets, context(id))),
    };
  }

  private toInstance(row: InstanceRow): PluginInstance {
    const { id, projectId, pluginSlug: pluginId, enabled, createdAt, updatedAt } = row;
    return {
      id,
      projectId,
      pluginId,
      enabled,
      settings: masked(this.stored(row)),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }

  private async withPlugin(row: InstanceRow, setAside: number): Promise<PluginInstanceWithPlugin> {
    const manifest = await this.needs.plugins.manifest(row.pluginSlug);
    return { ...this.toInstance(row), plugin: manifest === null ? null : toPlugin(manifest), setAside };
  }

  private async manifest(slug: string): Promise<Manifest> {
    const found = await this.needs.plugins.manifest(slug);
    if (found === null) throw new DomainError('plugin_unknown', { message: await this.needs.plugins.noSuch(slug) });
    return found;
  }

  private async existing(projectId: string, id: string, tx?: Transaction): Promise<InstanceRow> {
    const row = await this.needs.instances.find(projectId, id, tx);
    if (row === null) throw new DomainError('plugin_instance_not_found');
    return row;
  }
}
