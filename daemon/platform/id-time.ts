/** When an id was made: a UUIDv7 begins with its time (RFC 9562, 5.7). Milliseconds since 1970. */
export const madeAtMs = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
