/** Ids are UUIDv7 and begin with their time, so what is older than an id can be found by ids alone. Pure. */

/** The first id that could have been made so long before this one. */
export const idBefore = (id: string, ms: number): string => {
  const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const time = Math.max(0, madeAt - ms)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};
