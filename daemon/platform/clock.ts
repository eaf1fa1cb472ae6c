/** The time as the daemon sees it. Handed in everywhere, so that tests can make it stand still or jump. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
