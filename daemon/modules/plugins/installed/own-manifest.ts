/** The manifest of an operator's own plugin: what every plugin states, and where its code or its endpoint is. */
import { z } from 'zod';
import { Manifest } from '../catalogue/manifest.js';
import { schemaOf } from '../instances/settings.js';

/** Largest module. */
export const codeBytesMax = 256 * 1024;
export const manifestFile = 'manifest.json';

const isUsable = (manifest: Manifest): boolean => {
  try {
    schemaOf(manifest);
    return true;
  } catch {
    return false;
  }
};

export const OwnManifest = Manifest.extend({
  main: z
    .string()
    .regex(/^[\w-]+\.m?js$/, 'the name of a JavaScript file in the same folder')
    .optional()
    .describe('The module; its default export is the plugin'),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .describe('Address that gets the events instead'),
})
  .refine(({ main, endpoint }) => (main === undefined) !== (endpoint === undefined), 'state either main or endpoint')
  .refine(isUsable, { path: ['settingsSchema'], message: 'is not a JSON Schema that can be used' });
export type OwnManifest = z.infer<typeof OwnManifest>;
