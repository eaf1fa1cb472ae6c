/** A text in the data of an event, whose fields differ by its type; null: there is none. */
export const textField = (data: unknown, name: string): string | null => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : null;
  return typeof value === 'string' ? value : null;
};
