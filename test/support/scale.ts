/** Scale of a suite: seconds in `npm test`, all of it in `npm run torture`. */
export const torture = process.env.EARSHOT_TORTURE === '1';

export const scale = (small: number, full: number): number => (torture ? full : small);
