/**
 * The data of stored events in the form that the contract states today. Events of earlier versions lack the fields that
 * came later; readers get them with a value that says nothing: null, false, no rows. What cannot be said so is listed.
 */
import { z } from 'zod';
import { eventData, type OwnEventType } from '../../../src/contract/events.js';
import { unstatedOrigin } from '../../../src/contract/moderation/statement-basis.js';

type StoredFields = Readonly<Record<string, unknown>>;
type Complete = (data: StoredFields) => StoredFields;

const sanction = { source: 'own_initiative' };
const report = { weight: 1, repeats: 0 };
const caseOf = { blockers: 0, orders: 0, trusted: 0, brigaded: 0, reviews: 0, weight: 1 };
/** StoredFields whose missing says something else than null, false or no rows. */
const known: Readonly<Partial<Record<OwnEventType, StoredFields>>> = {
  ...{ 'sanction.created': sanction, 'sanction.updated': sanction, 'sanction.revoked': sanction },
  ...{ 'report.created': report, 'report.updated': report },
  ...{ 'case.created': caseOf, 'case.updated': caseOf, 'case.overdue': caseOf },
};
/** Types whose data says by other fields what is missing. */
const sanctionTypes = ['sanction.created', 'sanction.updated', 'sanction.revoked'];
const withOrigin = (type: string, data: StoredFields): StoredFields =>
  sanctionTypes.includes(type) && !('foundBy' in data) ? { ...unstatedOrigin(data), ...data } : data;
const emptyValues = [null, false, []] as const;

const isFields = (value: unknown): value is StoredFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns what completes data of the schema; null: nothing can be missing in it. */
function completing(schema: unknown, values: StoredFields = {}): Complete | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return completing(schema.unwrap(), values);
  if (!(schema instanceof z.ZodObject)) return null;
  const missing: Record<string, unknown> = {};
  const within: [name: string, complete: Complete][] = [];
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    const value = name in values ? values[name] : emptyValues.find((one) => field.safeParse(one).success);
    if (value !== undefined && !field.safeParse(undefined).success) missing[name] = value;
    const complete = completing(field);
    if (complete !== null) within.push([name, complete]);
  }
  const names = Object.keys(missing);
  if (names.length === 0 && within.length === 0) return null;
  return (data) => {
    const whole = names.every((name) => name in data) ? data : { ...missing, ...data };
    const parts = within.flatMap(([name, complete]) => {
      const part = whole[name];
      const completed = isFields(part) ? complete(part) : part;
      return completed === part ? [] : [[name, completed] as const];
    });
    return parts.length === 0 ? whole : { ...whole, ...Object.fromEntries(parts) };
  };
}

/** Made when the first event of the type is read. */
const completions = new Map<string, Complete | null>();

/** Returns the data of an event with the fields that its type has today; data that was erased stays as it is. */
export function inCurrentForm(type: string, data: unknown): unknown {
  if (!isFields(data) || 'redacted' in data || !(type in eventData)) return data;
  let complete = completions.get(type);
  if (complete === undefined) {
    complete = completing(eventData[type as OwnEventType], known[type as OwnEventType]);
    completions.set(type, complete);
  }
  const stated = withOrigin(type, data);
  return complete === null ? stated : complete(stated);
}
