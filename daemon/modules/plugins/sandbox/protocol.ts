/** The messages between the daemon and the process that runs code of plugins. Both ends parse what arrives. */
import { z } from 'zod';

const Id = z.int();

export const SandboxDownFrame = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), id: Id, code: z.string(), input: z.string().describe('JSON') }),
  z.object({ kind: z.literal('fetched'), id: Id, call: Id, answer: z.string().describe('JSON') }),
  z.object({ kind: z.literal('drop'), id: Id }),
]);
export type SandboxDownFrame = z.infer<typeof SandboxDownFrame>;

export const SandboxUpFrame = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('computing'), id: Id.nullable().describe('null: nothing runs now') }),
  z.object({ kind: z.literal('fetch'), id: Id, call: Id, request: z.string().describe('JSON') }),
  z.object({ kind: z.literal('done'), id: Id, output: z.string().describe('JSON'), printed: z.array(z.string()) }),
  z.object({ kind: z.literal('failed'), id: Id, error: z.string(), printed: z.array(z.string()) }),
]);
export type SandboxUpFrame = z.infer<typeof SandboxUpFrame>;

/** Request that code makes by `fetch`. */
export const FetchRequest = z.object({
  url: z.string().max(2000),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  headers: z.record(
    z.string().regex(/^[\w-]{1,60}$/),
    z
      .string()
      .max(2000)
      .regex(/^[\t\x20-\x7e]*$/),
  ),
  body: z.string().nullable(),
});
export type FetchRequest = z.infer<typeof FetchRequest>;
