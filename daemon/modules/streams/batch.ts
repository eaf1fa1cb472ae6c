/** Events that came close together. Each is framed once, and the bytes are shared by all streams that show the same. */
import type { PositionedEvent } from '../../platform/events/logged.js';
import { SharedFrames } from '../../platform/http/sse-writer.js';
import type { View } from './filter.js';

export class Batch {
  /** The frames by position, for each form in which they are sent. */
  private readonly texts = new Map<string, Map<bigint, string>>();
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
    const texts = this.texts.get(view.form) ?? new Map<bigint, string>();
    this.texts.set(view.form, texts);
    let text = '';
    for (const { position, event } of this.events) {
      if (position <= sent || !view.shows(event)) continue;
      const frame = texts.get(position) ?? view.frame(event);
      texts.set(position, frame);
      text += frame;
    }
    return new SharedFrames(text);
  }
}
