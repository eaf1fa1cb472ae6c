/** The other end of `workInProcess`. */

/** Says what went wrong; null: nothing. The process lives until the daemon has heard it, or is gone. */
export function answerDaemon(problem: string | null): void {
  if (!process.connected) return;
  process.once('disconnect', () => {});
  process.send?.({ problem });
}
