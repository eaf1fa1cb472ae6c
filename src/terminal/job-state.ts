/** Returns the state of a job during which the daemon crashed, as `earshot jobs list` and `earshotd jobs list` print it. */
export const jobState = (setAside: boolean): string => (setAside ? 'set aside' : 'retried alone');
