import { pluginRoutes } from '../../../src/contract/plugins/plugins.js';
import type { Choices } from '../parts/schema-field.js';
import { useRead } from '../parts/use-read.js';

/** The plugins that a condition may name. */
export function usePluginChoices(): Choices {
  const { data } = useRead(pluginRoutes.list, {});
  return (): Readonly<Record<string, readonly string[]>> =>
    data === undefined ? {} : { plugin: data.map(({ slug }) => slug) };
}
