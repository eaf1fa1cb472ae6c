/** Tells whether the project holds anything about a person, participant or not. */
import type { PersonRecordKind } from '../../../src/contract/people/person-export.js';
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { KnownPerson, PersonMoveSteps } from '../../platform/module.js';
import type { ExportedPerson, PersonRecords } from '../../platform/person-records.js';

export type HoldingCounts = Pick<PersonMoveSteps, 'count'>;

/** True if there is anything that a move would count. */
export async function isHeld(
  counting: readonly HoldingCounts[],
  reader: Reader | Transaction,
  person: KnownPerson,
): Promise<boolean> {
  for (const holder of counting)
    if (Object.values((await holder.count?.(reader, person)) ?? {}).some((count) => count > 0)) return true;
  return false;
}

/** Kinds that say who was named once. */
const logs: ReadonlySet<PersonRecordKind> = new Set(['event', 'webhookDelivery', 'auditEntry', 'roomToken']);

/** True also for somebody whom only something that a move would not count is about, such as a report or an exclusion. */
export async function isNamed(
  records: readonly PersonRecords[],
  stranger: Omit<ExportedPerson, 'confidential'>,
): Promise<boolean> {
  const person = { ...stranger, confidential: false };
  for (const source of records)
    if (!logs.has(source.kind) && (await source.page(person, '', 1)).records.length > 0) return true;
  return false;
}
