/** How long a sanction lasts, in the same words wherever one is shown. */
export const untilRevoked = 'until revoked';

/** `written`: how the screen shows a time. */
export const endOf = ({ endAt }: { readonly endAt: string | null }, written: (endAt: string) => string): string =>
  endAt === null ? untilRevoked : written(endAt);
