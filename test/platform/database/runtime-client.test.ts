/** A start generates the database clients without types: what they run on is what Prisma's CLI makes. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { folderOf, version } from '../../../prisma/tools/generated.mjs';
import { clientConfig } from '../../../prisma/tools/runtime-client.mjs';

/** Reads the text of a JSON document out of the code that parses it. */
const parsed = (code: string, begin: string): unknown => {
  const literal = code.split('\n').find((line) => line.trimStart().startsWith(`${begin}JSON.parse(`)) ?? '';
  return JSON.parse(z.string().parse(JSON.parse(/JSON\.parse\((".*")\)/.exec(literal)?.[1] ?? 'null')));
};
/** The CLI aligns the columns of models, and sorts their attributes. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ''))
    .filter((line) => line !== '')
    .sort();

it.each(['sqlite', 'postgresql'] as const)('of %s', { timeout: 120_000 }, (provider) => {
  const code = readFileSync(`${folderOf(provider)}/internal/class.ts`, 'utf8');
  const made = clientConfig(provider, version);
  expect(JSON.parse(JSON.stringify(made.runtimeDataModel))).toEqual(parsed(code, 'config.runtimeDataModel = '));
  expect(made.parameterizationSchema.strings).toEqual(parsed(code, 'strings: '));
  expect(code).toContain(`graph: "${made.parameterizationSchema.graph}"`);
  const [, schema = '""'] = /^ {2}"inlineSchema": (".*"),$/m.exec(code) ?? [];
  expect(linesOf(made.inlineSchema)).toEqual(linesOf(z.string().parse(JSON.parse(schema))));
});
