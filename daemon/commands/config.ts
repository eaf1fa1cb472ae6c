/** `earshotd config check|print|defaults`. */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { print, printError } from '../../src/terminal/terminal.js';
import { shownAddress } from '../../src/text/printable.js';
import { loadSettings } from '../platform/config/load.js';
import { type Settings, secretNames, settingsSchema } from '../platform/config/schema.js';
import type { SettingOptions } from './setting-options.js';
import { writeNew } from './write-new.js';

export function check({ config, set }: SettingOptions): void {
  const { warnings } = loadSettings({ flags: set, file: config });
  for (const warning of warnings) print(`warning: ${warning}`);
  print(warnings.length === 0 ? 'The settings are valid.' : 'The settings are usable.');
}

export function printSettings({ config, set }: SettingOptions): void {
  const { settings } = loadSettings({ flags: set, file: config });
  for (const line of settingLines(settings)) print(line);
}

/** `NAME=value`, secrets as `***`. */
export const settingLines = (settings: Settings): string[] =>
  Object.entries(settings).map(([name, value]) => `${name}=${shownAddress(textOf(value))}`);

/** Objects as the JSON that they were written as; classes print themselves. */
function textOf(value: unknown): string {
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? JSON.stringify(value) : String(value ?? '');
}

/** One line per setting; what depends on another setting is said in its description. */
export function defaults(): void {
  for (const { name, default: value = '', description = '' } of fields())
    print(`${`${name}=${value}`.padEnd(48)} # ${description}`);
}

const schemaFile = 'earshot.schema.json';

/** Throws Refused where the file is there already. */
export function init(file = 'earshot.yaml'): void {
  const path = resolve(file);
  const schemaPath = join(dirname(path), schemaFile);
  writeNew(path, commentedYaml());
  writeFileSync(schemaPath, jsonSchema());
  print(path);
  printError(`${schemaPath} is for editors. Start the daemon with \`--config ${file}\`, or with EARSHOT_CONFIG.`);
}

export const printSchema = (): void => print(jsonSchema().trimEnd());

type NamedField = z.core.JSONSchema.JSONSchema & { readonly name: string };

const fields = (): NamedField[] =>
  Object.entries(z.toJSONSchema(settingsSchema, { unrepresentable: 'any' }).properties ?? {}).flatMap(
    ([name, field]) => (typeof field === 'boolean' ? [] : [{ name, ...field }]),
  );

/** Every setting as a comment, with its default. */
function commentedYaml(): string {
  const blocks = fields().map(({ name, default: value, description = '' }) => {
    const written = value === undefined ? `${name}:` : stringify({ [name]: value }).trimEnd();
    const isSecret = secretNames.some((one) => one === name);
    const secret = isSecret ? ` Or ${name}_FILE: path of a file that holds it.` : '';
    return `# ${description}.${secret}\n# ${written}\n`;
  });
  return `# yaml-language-server: $schema=${schemaFile}
# Settings of earshotd. Remove the # before a name to set it; the environment and --set come before this file.
# \`earshotd config check --config FILE\` says what is wrong, with its line. docs/operating.md has more.

${blocks.join('\n')}`;
}

/** Lists may be written as a text with spaces, too. Formats are left to the daemon: editors refuse admin@localhost. */
function jsonSchema(): string {
  const entries = fields().map(({ name, format: _, ...field }) => {
    const { description } = field;
    return [name, field.type === 'array' ? { description, anyOf: [field, { type: 'string' }] } : field] as const;
  });
  const files = secretNames.map((name) => [
    `${name}_FILE`,
    { type: 'string', description: `Path of a file that holds ${name}` },
  ]);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of earshotd',
    type: ['object', 'null'],
    additionalProperties: false,
    properties: Object.fromEntries([...entries, ...files]),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
