/** `Ann (u_42)`; the id alone where somebody has no other name. */
export const personWords = (name: string, externalUserId: string): string =>
  name === externalUserId ? name : `${name} (${externalUserId})`;
