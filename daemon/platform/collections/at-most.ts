/** For an LRUCache of at most so many entries. It takes room as they come; `max` would take it for all of them at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 }) as const;
