/**
 * Milliseconds of a clock that all processes of this machine share and that nobody sets: what one process has stamped,
 * another can date by the clock it was given.
 */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1_000_000;
