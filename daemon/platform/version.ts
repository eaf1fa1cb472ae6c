/** The program's version, from the package. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const path = createRequire(import.meta.url).resolve('#package');
export const version = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path, 'utf8'))).version;
