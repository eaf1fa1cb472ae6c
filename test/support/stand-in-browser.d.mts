export function browse(
  address: string,
  person: { readonly user: string; readonly cancel?: boolean; readonly until?: string },
): Promise<{ readonly url: string; readonly status: number; readonly text: string }>;
