export type Provider = 'sqlite' | 'postgresql';

/** Version of Prisma's runtime. */
export const version: string;
export function folderOf(provider: Provider): string;
