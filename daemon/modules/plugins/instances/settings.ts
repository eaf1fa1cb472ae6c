/** The settings of an instance: judged by the plugin's JSON Schema, with secret values kept apart. */

import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import { judge } from '../../../../src/contract/judge.js';
import { ownValue } from '../../../../src/names/own-value.js';
import { leadsElsewhere } from '../../../platform/secrets/origin.js';
import type { Manifest } from '../catalogue/manifest.js';
import type { PluginSettings } from '../plugin.js';

/** Stands for a secret value in answers, and sent back it keeps the value. */
const hidden = '***';

export interface StoredSettings {
  /** Without secret values. */
  readonly settings: PluginSettings;
  readonly secrets: PluginSettings;
}

const Properties = z.record(
  z.string(),
  z.looseObject({ writeOnly: z.boolean().optional(), format: z.string().optional() }),
);

const propertiesOf = ({ settingsSchema }: Pick<Manifest, 'settingsSchema'>): z.infer<typeof Properties> =>
  Properties.safeParse(settingsSchema.properties).data ?? {};

/** Throws what makes the schema unusable. */
export const schemaOf = ({ settingsSchema }: Pick<Manifest, 'settingsSchema'>): z.ZodType =>
  z.fromJSONSchema(settingsSchema as Parameters<typeof z.fromJSONSchema>[0]);

/** Secrets are the fields that the schema marks as writeOnly. */
const isSecret = (manifest: Pick<Manifest, 'settingsSchema'>): ((name: string) => boolean) => {
  const properties = propertiesOf(manifest);
  return (name) => ownValue(properties, name)?.writeOnly === true;
};

const split = (fields: PluginSettings, belongs: (name: string) => boolean): PluginSettings =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => belongs(name)));

const text = (value: unknown): string | null => (typeof value === 'string' && URL.canParse(value) ? value : null);

/**
 * Returns the settings to store. Throws plugin_settings_invalid, and secret_needed_again where a kept secret would go
 * to another server than the one that it was given for.
 */
export function settle(manifest: Manifest, sent: PluginSettings, before: StoredSettings | null): StoredSettings {
  const secret = isSecret(manifest);
  const isKept = ([name, value]: [string, unknown]): boolean => secret(name) && value === hidden;
  const kept = Object.entries(sent).filter(isKept);
  const known = kept.flatMap(([name]) => {
    const value = ownValue(before?.secrets ?? {}, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const whole = {
    ...manifest.defaultSettings,
    ...Object.fromEntries(Object.entries(sent).filter((one) => !isKept(one))),
    ...Object.fromEntries(known),
  };
  const judged = judge(schemaOf(manifest), whole);
  if (!judged.success) {
    const details = judged.problems.slice(0, 50).map(({ path, message }) => ({
      path: ['body', 'settings', ...path].join('.'),
      message,
    }));
    throw new DomainError('plugin_settings_invalid', { details });
  }
  if (known.length > 0 && before !== null) refuseElsewhere(manifest, before.settings, whole);
  return { settings: split(whole, (name) => !secret(name)), secrets: split(whole, secret) };
}

function refuseElsewhere(manifest: Manifest, before: PluginSettings, after: PluginSettings): void {
  for (const [name, { format }] of Object.entries(propertiesOf(manifest)))
    if (format === 'uri' && leadsElsewhere(text(before[name]), text(after[name])))
      throw new DomainError('secret_needed_again');
}

/** As answers show them. */
export const masked = ({ settings, secrets }: StoredSettings): PluginSettings => ({
  ...settings,
  ...Object.fromEntries(Object.keys(secrets).map((name) => [name, hidden])),
});
