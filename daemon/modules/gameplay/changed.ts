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
