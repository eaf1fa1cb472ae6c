/** The JSON Schema of rule files, for editors. */
import { z } from 'zod';
import { type Json, tidy } from '../tidy-schema.js';
import { RuleFile } from './rules.js';

export function ruleSchema(): Json {
  const { $schema, ...schema } = z.toJSONSchema(RuleFile, { io: 'input', unrepresentable: 'any' });
  return { $schema, title: 'Rule file of Earshot', ...tidy(schema) };
}
