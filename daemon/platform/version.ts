/** The program's version, from the package. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { packageFile } from './package.js';

export const version = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version;
