/** Asks the daemon that holds a data folder. */
import net from 'node:net';
import type { z } from 'zod';
import type { AdminOperation } from '../platform/admin-operation.js';
import { Refused } from '../platform/refused.js';
import { controlPath, OperationReply, readLine, toLine } from './wire.js';

/** Throws Refused with the daemon's message, or when the daemon cannot be asked. */
export async function askDaemon<I extends z.ZodType, O extends z.ZodType>(
  dataDir: string,
  { name, output }: AdminOperation<I, O>,
  input: z.input<I>,
): Promise<z.output<O>> {
  const socket = net.createConnection(controlPath(dataDir));
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    socket.write(toLine({ operation: name, input }));
    const line = await readLine(socket);
    if (line === null) throw new Error('it hung up');
    const answer = OperationReply.parse(JSON.parse(line));
    if ('refused' in answer) throw new Refused(answer.refused);
    return output.parse(answer.answer);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused(`A daemon uses this data folder but does not answer (${reason}). Stop it, and try again.`);
  } finally {
    socket.destroy();
  }
}
