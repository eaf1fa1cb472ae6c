/** Sentences about deletions of gameplay objects, which can be undone for a day. */

/** For `confirm`. */
export const undoableForADay = 'It can be undone for a day';

/** `deleted`: the object; `id`: of the object or of the deletion. */
export const deletedForADay = (deleted: string, id: string): string =>
  `${deleted} deleted. For a day, this restores it with the progress of players: earshot gameplay undo-delete ${id}`;
