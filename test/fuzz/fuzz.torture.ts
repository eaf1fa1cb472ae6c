/** Ten minutes of fuzzing for each parser. New inputs that reach new code are kept in `corpus`, to be committed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { targets } from './targets.js';

const minutes = 10;
const program = join(import.meta.dirname, '../../bin/fuzz.mjs');

describe('fuzzing', () => {
  it.each(targets)('$name holds for ten minutes', { timeout: (minutes + 2) * 60_000 }, async ({ name }) => {
    const fuzzing = spawn(process.execPath, [program, name, '--minutes', String(minutes)], { stdio: 'inherit' });
    const [code] = await once(fuzzing, 'exit');
    expect(code).toBe(0);
  });
});
