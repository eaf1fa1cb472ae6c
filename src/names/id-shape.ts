/** Ids that the daemon makes; those of people are the project's own. */
export const looksLikeId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
