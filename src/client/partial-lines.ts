/** The lines of people who are still speaking, one for each: what a live transcript shows below its messages. */
import type { PartialMessage } from '../contract/sessions/partial-messages.js';
import type { Message } from '../contract/sessions/sessions.js';

type SpokenBy = Pick<PartialMessage, 'sessionId' | 'externalUserId'>;

/** A line that does not go on for so long has lost its end, such as when the connection was cut. */
const staleMs = 10_000;
/** An utterance lasts 20 seconds at most. */
const partialsMax = 200;

export class PartialLines {
  private readonly lines = new Map<string, { readonly line: PartialMessage; readonly at: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Those shown now, the one who began first comes first. */
  get shown(): PartialMessage[] {
    const at = this.now();
    for (const [key, line] of this.lines) if (at - line.at > staleMs) this.lines.delete(key);
    return [...this.lines.values()].map(({ line }) => line).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
  }

  add(line: PartialMessage): void {
    const key = keyOf(line);
    const before = this.lines.get(key)?.line;
    if (before !== undefined && before.startMs > line.startMs) return;
    if (line.content === '') this.lines.delete(key);
    else if (before !== undefined || this.lines.size < partialsMax) this.lines.set(key, { line, at: this.now() });
  }

  /** A message replaces what was shown of it. */
  settle({ sessionId, externalUserId, startMs }: Pick<Message, 'sessionId' | 'externalUserId' | 'startMs'>): void {
    if (externalUserId === null || startMs === null) return;
    const key = keyOf({ sessionId, externalUserId });
    if ((this.lines.get(key)?.line.startMs ?? Number.POSITIVE_INFINITY) <= startMs) this.lines.delete(key);
  }
}

const keyOf = ({ sessionId, externalUserId }: SpokenBy): string => JSON.stringify([sessionId, externalUserId]);
