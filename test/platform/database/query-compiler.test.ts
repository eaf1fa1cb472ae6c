/** The query compiler that the clients of a process share: what it hands out is what one of their own would. */
import { beforeEach, expect, it } from 'vitest';
import { sharing } from '../../../daemon/platform/database/query-compiler.js';

const options = { datamodel: 'model A', provider: 'sqlite', connectionInfo: { supportsRelationJoins: false } };
/** What compilers were asked for, each with the model that it was made for. */
let compiled: string[];
let made: number;
let breaksDown: boolean;

class Compiler {
  constructor(private readonly given: { readonly datamodel: string }) {
    made += 1;
  }
  compile = (request: string): object => {
    if (breaksDown) throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
    if (request === 'wrong') throw new Error('no such column');
    compiled.push(`${this.given.datamodel}: ${request}`);
    return { request };
  };
  compileBatch = (request: string): object => this.compile(`batch ${request}`);
  free(): void {}
}

beforeEach(() => {
  [compiled, made, breaksDown] = [[], 0, false];
});

it('compiles a query once for all clients of the same database, also after one of them has closed', () => {
  const { QueryCompiler } = sharing({ QueryCompiler: Compiler });
  const [writer, reader] = [new QueryCompiler(options), new QueryCompiler({ ...options })];
  expect(writer.compile('one')).toEqual({ request: 'one' });
  writer.free();
  expect(reader.compile('one')).toEqual({ request: 'one' });
  expect(reader.compileBatch('one')).toEqual({ request: 'batch one' });
  expect(compiled).toEqual(['model A: one', 'model A: batch one']);
  expect(made).toBe(1);
});

it('keeps databases apart', () => {
  const { QueryCompiler } = sharing({ QueryCompiler: Compiler });
  for (const given of [options, { ...options, datamodel: 'model B' }]) new QueryCompiler(given).compile('one');
  expect(compiled).toEqual(['model A: one', 'model B: one']);
});

it('does not keep requests that hold rows, nor what was refused', () => {
  const { QueryCompiler } = sharing({ QueryCompiler: Compiler });
  const client = new QueryCompiler(options);
  const long = 'x'.repeat(20_000);
  for (let time = 0; time < 2; time += 1) {
    expect(client.compile(long)).toEqual({ request: long });
    expect(() => client.compile('wrong')).toThrow('no such column');
  }
  expect(compiled).toHaveLength(2);
  expect(made).toBe(1);
});

it('makes another compiler once one has broken down', () => {
  const { QueryCompiler } = sharing({ QueryCompiler: Compiler });
  const client = new QueryCompiler(options);
  breaksDown = true;
  expect(() => client.compile('one')).toThrow('unreachable');
  breaksDown = false;
  expect(client.compile('one')).toEqual({ request: 'one' });
  expect(made).toBe(2);
});
