/** Names of plugins, for rules on their annotations. */
import type { Catalogue } from './catalogue/catalogue.js';
import type { InstanceStore } from './instances/instance-store.js';

export class PluginSlugs {
  constructor(
    private readonly instances: Pick<InstanceStore, 'list'>,
    private readonly plugins: Pick<Catalogue, 'list'>,
  ) {}

  /** Returns the plugins that the project has installed. */
  async installed(projectId: string): Promise<readonly string[]> {
    return (await this.instances.list(projectId)).map(({ pluginSlug }) => pluginSlug);
  }

  /** Returns the plugins that any project can install. */
  async catalogue(): Promise<readonly string[]> {
    return (await this.plugins.list()).map(({ slug }) => slug);
  }
}
