/**
 * The process that runs code of plugins: a child of the daemon without an environment, which may read the program's own
 * files and start nothing. Speaks `protocol.ts` over its IPC channel and ends with its parent.
 */
import { Engines } from './engine.js';
import { SandboxDownFrame, type SandboxUpFrame } from './protocol.js';

const engines = new Engines(Number(process.argv[2]));
/** Answers that code waits for, by run and call. */
const awaited = new Map<string, (answer: string) => void>();
const key = (id: number, call: number): string => `${id} ${call}`;

const up = (frame: SandboxUpFrame): void => {
  if (process.connected) process.send?.(frame);
};

async function run(id: number, code: string, input: string): Promise<void> {
  const printed: string[] = [];
  let calls = 0;
  try {
    const output = await engines.run(code, input, {
      fetch: (request) => {
        calls += 1;
        const call = calls;
        up({ kind: 'fetch', id, call, request });
        return new Promise((resolve) => awaited.set(key(id, call), resolve));
      },
      computing: (isIt) => up({ kind: 'computing', id: isIt ? id : null }),
      print: (line) => printed.push(line),
    });
    up({ kind: 'done', id, output, printed });
  } catch (error) {
    up({ kind: 'failed', id, error: error instanceof Error ? error.message : String(error), printed });
  }
}

function onMessage(message: unknown): void {
  const frame = SandboxDownFrame.parse(message);
  if (frame.kind === 'run') void run(frame.id, frame.code, frame.input);
  else if (frame.kind === 'fetched') {
    awaited.get(key(frame.id, frame.call))?.(frame.answer);
    awaited.delete(key(frame.id, frame.call));
  } else for (const one of awaited.keys()) if (one.startsWith(`${frame.id} `)) awaited.delete(one);
}

process.on('message', onMessage);
process.once('disconnect', () => process.exit());
// Terminal signals reach the whole process group; the daemon decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('SIGQUIT', () => undefined);
up({ kind: 'ready' });
