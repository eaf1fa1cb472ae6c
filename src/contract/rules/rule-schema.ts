/** The JSON Schema of rule files, for editors. */
import { z } from 'zod';
import { type Json, tidy } from '../tidy-schema.js';
import { RuleFile } from './rules.js';

export function ruleSchema(): Json {
  const { $schema, ...schema } = z.toJSONSchema(RuleFile, { io: 'input', unrepresentable: 'any' });
  return { $schema, title: 'Rule file of Earshot', ...withDurations(tidy(schema)) };
}

/** Commands read fields in seconds as durations, too. */
function withDurations(schema: Json): Json {
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inside(value)]));
  return copy['x-unit'] === 'seconds' ? { ...copy, type: [copy.type, 'string'] } : copy;
}

const inside = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inside)
    : typeof value === 'object' && value !== null
      ? withDurations({ ...value })
      : value;
