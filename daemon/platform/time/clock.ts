/** The time as the daemon sees it. Passed in everywhere, so that tests can stop it or make it jump. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
