/** Columns of orders of authorities on a terminal. */
export const orderColumns = [
  ...['kind', 'authority', 'memberState', 'reference', 'externalUserId', 'roomId'],
  ...['status', 'outcome', 'receiptConfirmedAt', 'dueAt', 'id'],
] as const;
