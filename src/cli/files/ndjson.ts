/** Lines of an answer that is streamed, as they come. */

/** The answer ended before its last line. */
export class CutOff extends Error {
  constructor(cause?: unknown) {
    super('The connection to the daemon was lost in the middle of its answer. Try again.', { cause });
  }
}

/** Whole lines, some at a time. Throws CutOff. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string[], void> {
  if (body === null) throw new CutOff();
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
}

/** The chunks of an answer. Throws CutOff. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new CutOff(cause);
      });
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
