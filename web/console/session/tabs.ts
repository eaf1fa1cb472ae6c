/** Messages between the tabs of this browser that show the console. */

import type { EarshotEvent } from '../../../src/contract/events.js';
import { basePath } from '../../base.js';

export type TabMessage =
  | { readonly kind: 'signed-in' | 'signed-out' | 'locked' }
  /** A tab asks for the stream of a project; whoever follows it answers with what it saw last. */
  | { readonly kind: 'stream.hello'; readonly projectId: string }
  | {
      readonly kind: 'stream.state';
      readonly projectId: string;
      readonly lastEventId: string | null;
      readonly lostFor: string | null;
    }
  | { readonly kind: 'stream.event'; readonly projectId: string; readonly event: EarshotEvent }
  | { readonly kind: 'stream.gap'; readonly projectId: string };

const channel = new BroadcastChannel(`earshot-console${basePath}`);

export const tabs = {
  send: (message: TabMessage): void => channel.postMessage(message),
  /** Returns what ends the listening. */
  listen(listener: (message: TabMessage) => void): () => void {
    const heard = ({ data }: MessageEvent<TabMessage>) => listener(data);
    channel.addEventListener('message', heard);
    return () => channel.removeEventListener('message', heard);
  },
};
