/**
 * The control socket: a Unix socket of mode 0600 in the data folder, so only those who may read the folder may operate
 * the daemon. A connection carries one question and one answer, each one line of JSON.
 */
import type { Socket } from 'node:net';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { AdminOperation } from '../platform/admin-operation.js';

export const OperationRequest = z.object({ operation: z.string(), input: z.unknown() });
export type OperationRequest = z.infer<typeof OperationRequest>;

export const OperationReply = z.union([
  z.object({ answer: z.unknown() }),
  z.object({ refused: z.string().describe('What to do, for the operator') }),
]);
export type OperationReply = z.infer<typeof OperationReply>;

/** Which version the daemon runs, with its commit. */
export const readVersion = {
  name: 'readVersion',
  input: z.object({}),
  output: z.string(),
} as const satisfies AdminOperation;

const lineBytesMax = 1024 * 1024;

/**
 * Socket paths are short (108 bytes on Linux), so the path relative to the working directory is used where it is
 * shorter.
 */
export function controlPath(dataDir: string): string {
  const path = join(dataDir, 'control.sock');
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/**
 * Everything up to the end of the line; null when the other side closes before it. Throws when the line is too long.
 */
export async function readLine(socket: Socket): Promise<string | null> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    text += part;
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
    if (text.length > lineBytesMax) throw new Error('The line on the control socket is too long.');
  }
  return null;
}

export const toLine = (value: OperationRequest | OperationReply): string => `${JSON.stringify(value)}\n`;
