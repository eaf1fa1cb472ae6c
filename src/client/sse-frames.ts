/** Reads an answer of server-sent events, frame by frame, and notices a daemon that has gone silent. */
import { createParser } from 'eventsource-parser';

export interface SseFrame {
  /** `message` where the frame has no name. */
  readonly event: string;
  readonly data: string;
}

/** Three heartbeats: the daemon sends a comment every 15 s. */
const silenceMs = 45_000;

/** Ends with the answer. Throws when it is cut, or when nothing was heard for too long. */
export async function* sseFrames({ body, headers }: Response): AsyncGenerator<SseFrame, void> {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) throw new Error('what answers is no event stream');
  if (body === null) return;
  const frames: SseFrame[] = [];
  const parser = createParser({ onEvent: ({ event = 'message', data }) => frames.push({ event, data }) });
  const reader = body.getReader();
  const text = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      parser.feed(text.decode(value, { stream: true }));
      yield* frames.splice(0);
    }
  } finally {
    reader.cancel().catch(() => {}); // whoever leaves early ends the connection
  }
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`nothing was heard for ${silenceMs / 1_000} s`)), silenceMs);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(late);
  }
}
