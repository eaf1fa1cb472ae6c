/** Reads an event stream by hand: what arrives, frame by frame, with nothing of ours in between. */
export interface RawFrame {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: unknown;
}

export interface RawStream {
  readonly status: number;
  readonly headers: Headers;
  /** The next frame that holds data; rejects when the stream ends or nothing comes in time. */
  next(timeoutMs?: number): Promise<RawFrame>;
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

const field = (block: string, name: string): string | null =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? null;

export async function openStream(url: string, headers: Record<string, string>): Promise<RawStream> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const frames: RawFrame[] = [];
  let wake: () => void = () => {};
  const ended = (async () => {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const data = field(block, 'data');
          if (data !== null)
            frames.push({ id: field(block, 'id'), event: field(block, 'event'), data: JSON.parse(data) });
        }
        wake();
      }
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
  })();
  return {
    status: response.status,
    headers: response.headers,
    ended,
    async next(timeoutMs = 5_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const frame = frames.shift();
        if (frame !== undefined) return frame;
        if (Date.now() >= deadline) throw new Error('No event came in time.');
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 50);
        });
      }
    },
    close: () => abort.abort(),
  };
}
