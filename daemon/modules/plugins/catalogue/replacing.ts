/** The plugins whose session annotations replace those of before; each run may cost money, so they take turns. */
export const summarySlug = 'summary';

export const replacingSlugs = [summarySlug] as const;
