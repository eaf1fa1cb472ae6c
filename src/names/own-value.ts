/**
 * Returns the object's own value under the name. Names such as `constructor` or `__proto__`, which every object inherits,
 * are no entries: what a client or a person types is looked up by this, never by `object[name]`.
 */
export const ownValue = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
