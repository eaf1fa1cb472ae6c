/** Ids are UUIDv7 and begin with their time (RFC 9562, 5.7), so what is older than an id can be found by ids alone. Pure. */

/** When an id was made. Milliseconds since 1970. */
export const madeAtMs = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** The first id that can be made at a time, in milliseconds since 1970. */
export const firstIdAt = (ms: number): string => {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};

/** The first id that could have been made so long before this one. */
export const idBefore = (id: string, ms: number): string => firstIdAt(madeAtMs(id) - ms);
