/** Signals that mean nothing to a daemon: without a listener they would end the process, or open a debugger's port. */

const otherSignals = ['SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const;

/** Calls `answer` with each of them. */
export function onOtherSignals(answer: (signal: NodeJS.Signals, sentence: string) => void): void {
  const sentence = 'this signal does nothing here; SIGTERM stops the process';
  for (const name of otherSignals) process.on(name, (signal) => answer(signal, sentence));
}
