/** What makes the sound of an utterance hard to recognise. */
import type { Message } from '../contract/sessions/sessions.js';

/** From this likeness on, a microphone has picked up others from a loudspeaker. */
const echoMin = 0.85;
const clippedShareMin = 0.01;
const levelDbfsMin = -45;

export type SignalProblem = 'echo' | 'clipped' | 'quiet';

export function signalProblems({ asr }: Pick<Message, 'asr'>): SignalProblem[] {
  const signal = asr?.signal ?? null;
  if (signal === null) return [];
  const { levelDbfs, clippedShare, echo } = signal;
  return [
    ...(echo >= echoMin ? (['echo'] as const) : []),
    ...(clippedShare >= clippedShareMin ? (['clipped'] as const) : []),
    ...(levelDbfs < levelDbfsMin ? (['quiet'] as const) : []),
  ];
}
