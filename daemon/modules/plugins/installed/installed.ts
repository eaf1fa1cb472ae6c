/** Plugins that the operator installed: kept in the database, so that every daemon has them. */
import { z } from 'zod';
import { newWebhookSecret } from '../../../../src/signing/signing.js';
import type { Database } from '../../../platform/database/database.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import { Refused } from '../../../platform/refused.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { OwnPlugins } from '../catalogue/catalogue.js';
import type { Manifest } from '../catalogue/manifest.js';
import type { PluginFinding, PluginRun, RunnablePlugin } from '../plugin.js';
import { callEndpoint } from './endpoint.js';
import type { InstalledRow, InstalledStore } from './installed-store.js';
import { type OwnManifest, StoredManifest } from './own-manifest.js';

/** Runs the code of plugins apart from everything else. */
export interface CodeRunner {
  run(code: string, run: PluginRun, onStart: () => void): Promise<readonly PluginFinding[]>;
}

/** Plugins of one installation. */
const pluginsMax = 100;
const context = (slug: string): string => `installed-plugin:${slug}:secret`;

const Stored = z.preprocess((text) => JSON.parse(String(text)), StoredManifest);

interface InstalledPluginsNeeds {
  readonly database: Database;
  readonly store: InstalledStore;
  readonly box: SecretBox;
  readonly sandbox: CodeRunner;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly isTaken: (slug: string) => boolean;
  readonly now: Clock;
  /** Called with a plugin that cannot be read; it counts as not installed, so that the others keep running. */
  readonly unreadable: (slug: string, error: unknown) => void;
}

export class InstalledPlugins implements OwnPlugins {
  private readonly known = new Map<string, { readonly changedAt: number; readonly plugin: RunnablePlugin }>();

  constructor(private readonly needs: InstalledPluginsNeeds) {}

  async list(): Promise<Manifest[]> {
    return (await this.needs.store.list()).flatMap(
      ({ slug, manifest }) => this.readable(slug, () => Stored.parse(manifest)) ?? [],
    );
  }

  async manifest(slug: string): Promise<Manifest | null> {
    return (await this.find(slug))?.manifest ?? null;
  }

  /** Read again only when it has changed: every run asks. */
  async find(slug: string): Promise<RunnablePlugin | null> {
    const changedAt = (await this.needs.store.changedAt(slug))?.getTime();
    const known = this.known.get(slug);
    if (known !== undefined && known.changedAt === changedAt) return known.plugin;
    const row = changedAt === undefined ? null : await this.needs.store.find(slug);
    this.known.delete(slug);
    if (row === null) return null;
    const plugin = this.readable(slug, () => this.runnable(row));
    if (plugin === null) return null;
    this.known.set(slug, { changedAt: row.updatedAt.getTime(), plugin });
    return plugin;
  }

  /**
   * Installs the plugin, or a new version of it. The secret of an endpoint stays, unless its address leads elsewhere;
   * a new one is returned, and shown this once. Throws Refused.
   */
  async install(manifest: OwnManifest, code: string | null): Promise<{ readonly secret: string | null }> {
    const { slug, endpoint } = manifest;
    if (this.needs.isTaken(slug)) throw new Refused(`${slug} is a built-in plugin. Choose another slug.`);
    const before = await this.needs.store.find(slug);
    if (before === null && (await this.needs.store.list()).length >= pluginsMax)
      throw new Refused(`There are already ${pluginsMax} plugins. Uninstall one first.`);
    const stays = before !== null && Stored.parse(before.manifest).endpoint === endpoint && before.secret !== null;
    const secret = endpoint === undefined || stays ? null : newWebhookSecret();
    const kept = stays ? before.secret : null;
    const now = this.needs.now();
    const row = {
      slug,
      manifest,
      code,
      installedAt: now,
      updatedAt: now,
      secret: secret === null ? kept : this.needs.box.seal(secret, context(slug)),
    };
    await this.needs.database.transaction((tx) => this.needs.store.put(row, tx));
    return { secret };
  }

  /** Projects that have installed it keep their instances, which are not run any more. Throws Refused. */
  async uninstall(slug: string): Promise<void> {
    if (!(await this.needs.database.transaction((tx) => this.needs.store.remove(tx, slug))))
      throw new Refused(`No plugin ${slug} is installed. \`earshotd plugins list\` lists them.`);
  }

  private readable<T>(slug: string, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      this.needs.unreadable(slug, error);
      return null;
    }
  }

  private runnable({ slug, manifest: stored, code, secret }: InstalledRow): RunnablePlugin {
    const manifest = Stored.parse(stored);
    const { endpoint: url } = manifest;
    if (code !== null) return { manifest, run: (run, onStart) => this.needs.sandbox.run(code, run, onStart) };
    if (url === undefined || secret === null) throw new Error(`The plugin ${slug} has neither code nor an endpoint.`);
    const endpoint = { url, secret: this.needs.box.open(secret, context(slug)) };
    return { manifest, run: (run) => callEndpoint(this.needs.outbound, endpoint, run, this.needs.now) };
  }
}
