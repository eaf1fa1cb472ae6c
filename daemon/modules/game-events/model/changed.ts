type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Absent means "leave it", null means "clear it". */
export const changed = <T extends object>(before: T, changes: Changes<T>): T => {
  const after = { ...before };
  for (const key of Object.keys(changes) as (keyof T)[]) {
    const value = changes[key];
    if (value !== undefined) after[key] = value;
  }
  return after;
};

/** A time as answers write it, whatever the offset it was sent with. */
export const utc = (time: string | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();
