/** A logger whose lines a test reads, as `level sentence`. */
import { vi } from 'vitest';
import { createLogger, type Logger } from '../../daemon/platform/observability/logger.js';

export function logLines(): { readonly lines: string[]; readonly log: Logger } {
  const lines: string[] = [];
  const line = (level: string) => vi.fn((_: object, text: string) => void lines.push(`${level} ${text}`));
  const levels = { error: line('error'), warn: line('warn'), info: line('info') };
  return { lines, log: Object.assign(createLogger('silent'), levels) };
}
