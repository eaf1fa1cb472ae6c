/** Every setting that is stated is read somewhere: one that nothing reads would do nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type SettingName, secretNames, settingsSchema } from '../daemon/platform/config/schema.js';
import { Secret } from '../daemon/platform/config/secret.js';
import { readDataMap } from '../prisma/tools/data-map.mjs';
import { UpsertAppSettingsRequest } from '../src/contract/projects/settings.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = ['daemon', 'bin']
  .flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => /\.(ts|m?js)$/.test(name) && !name.includes('generated'))
  .map((name) => ({
    name,
    text: readFileSync(`${root}/${name}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|'[^'\n]*'/gm, ''),
  }));
/** Files that take it from an object, by a dot or by taking the object apart; to name it in a message is not to read it. */
const readIn = (word: string, outside: RegExp): string[] => {
  const taken = new RegExp(`\\.${word}\\b|[{,]\\s*${word}\\s*[:,}=]`);
  return sources.filter(({ name, text }) => !outside.test(name) && taken.test(text)).map(({ name }) => name);
};

/** Retention settings that the data map names. */
const keeps = new Set(readDataMap().map(({ values }) => /^EARSHOT_\w+/.exec(values.get('keep') ?? '')?.[0]));

describe('every setting of the daemon is read', () => {
  it.each(Object.keys(settingsSchema.shape).filter((name) => !keeps.has(name)))('%s', (name) => {
    expect(readIn(name, /^daemon\/platform\/config\//)).not.toEqual([]);
  });
});

/** Their feature only keeps them; what they change is done elsewhere. */
it('every secret setting is named as one, so that nothing shows it or passes it on', () => {
  const values = ['0'.repeat(64), 'key=value', 'smtp://user:word@mail.example', 'AGE-SECRET-KEY-1A'];
  const isSecret = (name: SettingName) =>
    values.some((value) => settingsSchema.shape[name].safeParse(value).data instanceof Secret);
  const secret = (Object.keys(settingsSchema.shape) as SettingName[]).filter(isSecret);
  expect(secret.length).toBeGreaterThan(8);
  expect(secret.filter((name) => !secretNames.includes(name))).toEqual([]);
});

describe('every setting of a project is read', () => {
  const fields = [
    ...Object.keys(UpsertAppSettingsRequest.shape),
    'debugAudioEnabled',
    'e2eEncryptionMode',
    'e2eEncryptionPassword',
  ];
  /** What their feature makes of them for others. */
  const madeInto: Readonly<Record<string, string>> = { gameName: 'serviceOf', operatorName: 'serviceOf' };
  it.each(fields)('%s', (name) => {
    expect(readIn(madeInto[name] ?? name, /^daemon\/modules\/projects\/settings\//)).not.toEqual([]);
  });
});
