// Many event streams at once, read as cheaply as can be: what arrives is counted and timed, but not parsed. Both servers
// write whole frames, so that a comment comes as a chunk of its own.
import { once } from 'node:events';
import http from 'node:http';

const openingAtOnce = 50;
const patienceMs = 60_000;
const newline = 0x0a;
const colon = 0x3a;

export class Audience {
  #streams = [];
  #agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
  #missing = 0;
  #done = () => {};
  #onEvent = null;

  get size() {
    return this.#streams.length;
  }

  /** Opens streams until there are `size`; `headersOf` tells those of each. */
  async grow(size, url, headersOf = () => ({})) {
    const open = async () => {
      while (this.size < size) {
        const stream = { request: null, events: 0, newlines: 2 };
        const index = this.#streams.push(stream) - 1;
        stream.request = http.get(url, {
          agent: this.#agent,
          headers: { accept: 'text/event-stream', ...headersOf(index) },
        });
        await this.#answer(stream);
      }
    };
    await Promise.all(Array.from({ length: openingAtOnce }, open));
  }

  /** Resolves once the server has written something: then the stream is known to it. */
  async #answer(stream) {
    const [response] = await once(stream.request, 'response');
    if (response.statusCode !== 200) throw new Error(`A stream was refused with ${response.statusCode}.`);
    response.on('error', () => {}); // the stream is cut: its events will be missing
    await once(response, 'data');
    response.on('data', (chunk) => this.#take(stream, chunk));
  }

  #take(stream, chunk) {
    if (stream.newlines === 2 && chunk[0] === colon) return;
    const { length } = chunk;
    let frames = stream.newlines === 1 && chunk[0] === newline ? 1 : 0;
    for (let at = chunk.indexOf('\n\n', frames); at >= 0; at = chunk.indexOf('\n\n', at + 2)) frames += 1;
    if (chunk[length - 1] !== newline) stream.newlines = 0;
    else stream.newlines = (length > 1 ? chunk[length - 2] === newline : stream.newlines === 1) ? 2 : 1;
    if (frames === 0) return;
    for (let each = 0; each < frames; each += 1) this.#onEvent?.(stream.events + each, chunk);
    stream.events += frames;
    this.#missing -= frames;
    if (this.#missing <= 0) this.#done();
  }

  /**
   * Resolves once `events` more have reached every stream; to be called before they are published. `onEvent` is told of
   * each on each stream: its number, from 0, and the chunk that it ended in.
   */
  async hears(events, onEvent = null) {
    this.#missing = events * this.size;
    this.#onEvent = onEvent;
    for (const stream of this.#streams) stream.events = 0;
    let timer;
    await new Promise((resolve, reject) => {
      this.#done = resolve;
      timer = setTimeout(() => reject(new Error(`${this.#missing} events did not arrive.`)), patienceMs);
    }).finally(() => clearTimeout(timer));
  }

  close() {
    for (const { request } of this.#streams) request.destroy();
  }
}
