/** One JSON line a message, secrets redacted. error: someone must act; warn: heals itself; info: a day's story. */
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const redacted = ['password', 'secret', 'token', 'key', 'apiKey', 'authorization', 'accessToken', 'cookie'];

export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [...redacted, ...redacted.map((name) => `*.${name}`), 'headers["x-api-key"]', '*.headers["x-api-key"]'],
        censor: '***',
      },
    },
    ...(destination === undefined ? [] : [destination]),
  );
