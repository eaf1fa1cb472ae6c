/** A place in the audit log, as `placeOfEntry` of the contract writes it: `MILLISECONDS-ID`. */

export interface AuditPosition {
  readonly at: Date;
  readonly id: string;
}

/** Decodes a cursor that has the form of the contract. */
export function placeAt(cursor: string): AuditPosition {
  const end = cursor.indexOf('-');
  return { at: new Date(Number(cursor.slice(0, end))), id: cursor.slice(end + 1) };
}
