/** A stored secret is sent only to the server that it was given for. */

/** Scheme, host and port of an address, for any scheme; null when there is no address. */
const originOf = (url: string | null): string | null => {
  if (url === null) return null;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** True if a secret that was given for one address would be sent to another server. */
export const leadsElsewhere = (before: string | null, after: string | null): boolean =>
  originOf(before) !== originOf(after);
