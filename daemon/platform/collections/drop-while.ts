/**
 * Deletes entries from the front of a map for as long as they are over. For maps in which a renewed entry is deleted
 * before it is set, so that the oldest stand first: each entry is then deleted once, whatever the size of the map.
 */
export function dropWhile<V>(map: Map<string, V>, isOver: (value: V) => boolean): void {
  for (const [key, value] of map) {
    if (!isOver(value)) return;
    map.delete(key);
  }
}
