/** A stored secret goes only to the server that it was given for. */

/** Scheme, host and port of an address, whatever its scheme; null when there is no address. */
const originOf = (url: string | null): string | null => {
  if (url === null) return null;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** Whether a secret that was given for the one address would go to another server. */
export const leadsElsewhere = (before: string | null, after: string | null): boolean =>
  originOf(before) !== originOf(after);
