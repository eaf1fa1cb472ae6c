/**
 * One JSON line per message, on a terminal a readable one, with secrets and passwords in addresses redacted. error:
 * someone must act; warn: recovers by itself; info: normal operation.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { harmlessLines, withoutPasswords } from '../../../src/text/printable.js';

export type { Logger };

const redacted = ['password', 'secret', 'token', 'key', 'apiKey', 'authorization', 'accessToken', 'cookie'];

/** Without what PostgreSQL tells of the row that was refused. */
function serializedError(error: Error): object {
  const { detail: _, where: __, ...told } = pino.stdSerializers.err(error);
  return told;
}

/** Characters of log that are kept: some thousand lines. */
const keptMax = 200_000;

/** The newest lines that this process has logged, for `earshotd support-bundle`. */
class LastLines {
  private readonly lines: string[] = [];
  private length = 0;

  add(line: string): string {
    this.lines.push(line);
    for (this.length += line.length; this.length > keptMax; ) this.length -= this.lines.shift()?.length ?? 0;
    return line;
  }

  get text(): string {
    return this.lines.join('');
  }
}

export const lastLines = new LastLines();

export const createLogger = (level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializedError },
      hooks: { streamWrite: (line) => lastLines.add(harmlessLines(withoutPasswords(line))) },
      redact: {
        paths: [...redacted, ...redacted.map((name) => `*.${name}`), 'headers["x-api-key"]', '*.headers["x-api-key"]'],
        censor: '***',
      },
    },
    ...(destination === undefined ? [] : [destination]),
  );
