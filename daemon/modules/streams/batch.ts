/** Events that came close together. Each is framed once, and the bytes are shared by all streams that show the same. */
import type { PositionedEvent } from '../../platform/events/logged.js';
import { SharedFrames } from '../../platform/http/sse-writer.js';
import type { View } from './filter.js';

/**
 * An event in the form of the stream: its id and the envelope, without an event name, so that `onmessage` receives it.
 */
export const frame = (event: PositionedEvent['event']): string => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;

export class Batch {
  private readonly texts = new Map<bigint, string>();
  private readonly shared = new Map<string, SharedFrames>();

  /** At least one event, in the order of the log. */
  constructor(private readonly events: readonly PositionedEvent[]) {}

  get first(): bigint {
    return this.events[0]?.position ?? 0n;
  }

  get last(): bigint {
    return this.events.at(-1)?.position ?? 0n;
  }

  /** The part of the batch that the view shows and that comes after `sent`. */
  framesFor(view: View, sent: bigint): SharedFrames {
    if (sent >= this.first) return this.render(view, sent);
    const known = this.shared.get(view.key);
    if (known !== undefined) return known;
    const frames = this.render(view, sent);
    this.shared.set(view.key, frames);
    return frames;
  }

  private render(view: View, sent: bigint): SharedFrames {
    let text = '';
    for (const one of this.events) if (one.position > sent && view.shows(one.event)) text += this.textOf(one);
    return new SharedFrames(text);
  }

  private textOf({ position, event }: PositionedEvent): string {
    const known = this.texts.get(position);
    if (known !== undefined) return known;
    const text = frame(event);
    this.texts.set(position, text);
    return text;
  }
}
