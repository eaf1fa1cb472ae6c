/** The manifest of an operator's own plugin: what every plugin states, and where its code or its endpoint is. */
import { z } from 'zod';
import { matchesPattern, ownEventTypes } from '../../../../src/contract/events.js';
import { isMistypedEvent, isOwnEvent, noSuchEventType } from '../../../../src/names/event-types.js';
import { Manifest, runsOn } from '../catalogue/manifest.js';
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

/** As it was installed, perhaps by an earlier version that knew other events. */
export const StoredManifest = Manifest.extend({
  main: z
    .string()
    .regex(/^[\w-]+\.m?js$/, 'must be the name of a JavaScript file in the same folder')
    .optional()
    .describe('The module; its default export is the plugin'),
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional()
    .describe('Address that gets the events instead'),
})
  .refine(({ main, endpoint }) => (main === undefined) !== (endpoint === undefined), 'state either main or endpoint')
  .refine(isUsable, { path: ['settingsSchema'], message: 'is not a usable JSON Schema' });

/** Says why plugins are never run on events of the pattern; null where they are. */
function eventProblem(pattern: string): string | null {
  if (ownEventTypes.some((type) => runsOn(type) && matchesPattern(type, pattern))) return null;
  if (isOwnEvent(pattern))
    return `plugins are never run on ${pattern}: neither on annotations nor on events of webhooks`;
  return isMistypedEvent(pattern) ? noSuchEventType(pattern) : null;
}

export const OwnManifest = StoredManifest.check(({ value, issues }) => {
  for (const [index, pattern] of value.events.entries()) {
    const message = eventProblem(pattern);
    if (message !== null) issues.push({ code: 'custom', input: pattern, path: ['events', index], message });
  }
});
export type OwnManifest = z.infer<typeof OwnManifest>;
