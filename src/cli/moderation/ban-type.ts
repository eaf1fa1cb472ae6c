/** `ban` is a temporary or a permanent one, by whether it ends; every other kind is as it was typed. */
export const banned = (type: string, ends: boolean): string => (type !== 'ban' ? type : ends ? 'temp_ban' : 'perm_ban');
