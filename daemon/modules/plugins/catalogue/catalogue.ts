/** Every plugin that projects can install: those of the program, and those that the operator installed. */
import { DomainError } from '../../../../src/contract/errors.js';
import { didYouMean, nearest } from '../../../../src/contract/nearest.js';
import type { Plugin } from '../../../../src/contract/plugins/plugins.js';
import type { RunnablePlugin } from '../plugin.js';
import { type Manifest, toPlugin } from './manifest.js';

/** Plugins that the operator installed. */
export interface OwnPlugins {
  list(): Promise<readonly Manifest[]>;
  manifest(slug: string): Promise<Manifest | null>;
  find(slug: string): Promise<RunnablePlugin | null>;
}

export class Catalogue {
  private readonly bySlug: ReadonlyMap<string, RunnablePlugin>;

  constructor(
    own: readonly RunnablePlugin[],
    private readonly installed: OwnPlugins,
  ) {
    this.bySlug = new Map(own.map((plugin) => [plugin.manifest.slug, plugin]));
  }

  async list(): Promise<Plugin[]> {
    const own = [...this.bySlug.values()].map(({ manifest }) => manifest);
    const all = [...own, ...(await this.installed.list())];
    return all.map(toPlugin).sort((a, b) => (a.slug < b.slug ? -1 : 1));
  }

  /** Throws plugin_not_found. */
  async get(slug: string): Promise<Plugin> {
    const manifest = await this.manifest(slug);
    if (manifest === null) throw new DomainError('plugin_not_found', { message: await this.noSuch(slug) });
    return toPlugin(manifest);
  }

  /** `There is no plugin toxcity. Did you mean toxicity?` */
  async noSuch(slug: string): Promise<string> {
    const slugs = (await this.list()).map((plugin) => plugin.slug);
    return `There is no plugin ${slug}. ${didYouMean(nearest(slug, slugs), '`plugins list` lists them.')}`;
  }

  async manifest(slug: string): Promise<Manifest | null> {
    return this.bySlug.get(slug)?.manifest ?? this.installed.manifest(slug);
  }

  /** null: there is none. */
  async find(slug: string): Promise<RunnablePlugin | null> {
    return this.bySlug.get(slug) ?? this.installed.find(slug);
  }
}
