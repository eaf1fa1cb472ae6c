import type { Page } from 'playwright-core';
import type { EarshotClient } from '../src/client/earshot-client.js';

export const eventsPerSecond: number;
interface Sent {
  /** Text of the last line. */
  readonly last: string;
  readonly events: number;
  readonly perSecond: number;
}
export function prepareConsoleLoad(project: {
  readonly admin: EarshotClient;
  /** May send game events. */
  readonly game: EarshotClient;
  readonly projectId: string;
  readonly sessionId: string;
}): Promise<(ms: number) => Promise<Sent>>;
export function countReceived(page: Page): Promise<() => Promise<number>>;
export function heapOf(page: Page): Promise<number>;
export function measureMainThread(page: Page): Promise<() => Promise<number>>;
