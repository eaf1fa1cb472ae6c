/** The JSON Schema of season files, for editors. */
import { z } from 'zod';
import { type Json, tidy } from '../tidy-schema.js';
import { SeasonFile } from './season-file.js';

export function seasonSchema(): Json {
  const { $schema, ...schema } = z.toJSONSchema(SeasonFile, { io: 'input', unrepresentable: 'any' });
  return { $schema, title: 'Season file of Earshot', ...tidy(schema) };
}
