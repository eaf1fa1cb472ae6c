/**
 * Runs a module in QuickJS, which is compiled to WebAssembly: the code can use only what is handed in. Each run has a
 * fresh scope; an engine in which a run has failed is not used again.
 */
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import {
  engineBytesMax,
  fetchBodyMax,
  fetchesMax,
  fetchRequestMax,
  memoryBytes,
  printedCharactersMax,
  printedMax,
  resultCharactersMax,
  runsPerEngine,
  stackBytes,
} from './limits.js';
import { prelude } from './prelude.js';

/** Functions outside of the engine that the code of a run may call. */
interface SandboxHost {
  /** JSON of the request → JSON of the answer. Never rejects. */
  fetch(request: string): Promise<string>;
  /** Called before and after each piece of computing. */
  computing(isIt: boolean): void;
  print(line: string): void;
}

/** The code's own failure, or a limit that it met. */
class CodeFailed extends Error {
  override name = 'CodeFailed';
}

export class Engines {
  private current: { readonly wasm: QuickJSWASMModule; runs: number } | null = null;

  constructor(private readonly computingMs: number) {}

  /** The result as JSON. Throws what the code throws, and CodeFailed for a limit that it exceeds. */
  async run(code: string, input: string, host: SandboxHost): Promise<string> {
    const engine = this.current ?? {
      wasm: await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync')),
      runs: 0,
    };
    engine.runs += 1;
    this.current = engine;
    let isSpent = true;
    try {
      const output = await new SandboxRun(engine.wasm.newRuntime(), host, this.computingMs).carryOut(code, input);
      isSpent = engine.runs >= runsPerEngine || engine.wasm.getWasmMemory().buffer.byteLength > engineBytesMax;
      return output;
    } finally {
      if (isSpent && this.current === engine) this.current = null;
    }
  }
}

class SandboxRun {
  private readonly context: QuickJSContext;
  private computedMs = 0;
  private isOverTime = false;
  private open = 0;
  private calls = 0;
  /** Error that occurred while an answer was handed in. */
  private broken: unknown = null;
  private printed = 0;
  private settled: (() => void) | null = null;
  private withoutNul: QuickJSHandle | null = null;

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly host: SandboxHost,
    private readonly computingMs: number,
  ) {
    runtime.setMemoryLimit(memoryBytes);
    runtime.setMaxStackSize(stackBytes);
    this.context = runtime.newContext();
  }

  /** Values are not disposed of one by one: a failed run may hold any of them, and the engine is dropped as a whole. */
  async carryOut(code: string, input: string): Promise<string> {
    try {
      return await this.result(code, input);
    } catch (error) {
      // The engine reports an interruption like any error, or not at all.
      throw this.isOverTime ? new CodeFailed(`it ran for longer than ${this.computingMs / 1_000} s`) : error;
    }
  }

  private async result(code: string, input: string): Promise<string> {
    const { context } = this;
    const begin = this.compute(() => this.begun());
    const scope = await this.settledValue(
      this.compute(() => this.unwrap(context.evalCode(code, 'plugin.js', { type: 'module' }))),
    );
    const promise = this.compute(() => {
      const [plugin, given] = [context.getProp(scope, 'default'), context.newString(input)];
      return this.unwrap(context.callFunction(begin, context.undefined, plugin, given));
    });
    return this.textOf(await this.settledValue(promise));
  }

  /** The function that calls the plugin. */
  private begun(): QuickJSHandle {
    const { context } = this;
    const send = context.newFunction('send', (request) => this.send(context.getString(request)));
    const print = context.newFunction('print', (line) => {
      if (this.printed < printedMax) this.host.print(context.getString(line).slice(0, printedCharactersMax));
      this.printed += 1;
    });
    const make = this.unwrap(context.evalCode(prelude, 'prelude.js'));
    const made = this.unwrap(context.callFunction(make, context.undefined, send, print));
    this.withoutNul = context.getProp(made, 'withoutNul');
    return context.getProp(made, 'begin');
  }

  private send(request: string): QuickJSHandle {
    const { context } = this;
    this.calls += 1;
    // Checked here too, so that a request which the daemon would refuse does not fill the channel that all runs share.
    if (this.calls > fetchesMax || request.length > fetchRequestMax)
      throw new Error(`a run may call fetch ${fetchesMax} times, with up to ${fetchBodyMax} characters`);
    const answer = context.newPromise();
    this.open += 1;
    void this.host
      .fetch(request)
      .then((text) => this.compute(() => answer.resolve(context.newString(text))))
      .catch((error: unknown) => {
        this.broken = error;
      })
      .finally(() => {
        this.open -= 1;
        this.settled?.();
      });
    return answer.handle;
  }

  /** The value that a promise resolves to; any other value as it is. */
  private async settledValue(handle: QuickJSHandle): Promise<QuickJSHandle> {
    for (;;) {
      if (this.broken !== null) throw this.broken;
      this.compute(() => {
        const done = this.runtime.executePendingJobs();
        if (done.error !== undefined) throw this.failure(done.error);
      });
      const state = this.context.getPromiseState(handle);
      if (state.type === 'fulfilled') return state.value;
      if (state.type === 'rejected') throw this.compute(() => this.failure(state.error));
      if (this.open === 0) throw new CodeFailed('its promise never settles');
      await new Promise<void>((resolve) => {
        this.settled = resolve;
      });
    }
  }

  private textOf(result: QuickJSHandle): string {
    const { context } = this;
    const length = context.getNumber(context.getProp(result, 'length'));
    if (context.typeof(result) !== 'string') throw new CodeFailed('its result is not JSON');
    if (length > resultCharactersMax)
      throw new CodeFailed(`its result is longer than ${resultCharactersMax} characters`);
    return context.getString(result);
  }

  private unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (result.error !== undefined) throw this.failure(result.error);
    return result.value;
  }

  private failure(handle: QuickJSHandle): CodeFailed {
    const { context } = this;
    const text = (name: string): string => this.messageText(context.getProp(handle, name)) ?? '';
    if (context.typeof(handle) === 'object') return new CodeFailed(`${text('name')}: ${text('message')}`);
    return new CodeFailed(this.messageText(handle) ?? 'it threw');
  }

  /** The beginning of a text, with NUL made visible; null for any other value. */
  private messageText(value: QuickJSHandle): string | null {
    const { context, withoutNul } = this;
    if (context.typeof(value) !== 'string') return null;
    const result = withoutNul === null ? null : context.callFunction(withoutNul, context.undefined, value);
    const readable = result === null || result.error !== undefined ? value : result.value;
    return context.getString(readable).slice(0, printedCharactersMax);
  }

  /** Counts the time, and interrupts the code when it has used up its own. */
  private compute<T>(work: () => T): T {
    const began = performance.now();
    const spent = (): number => this.computedMs + performance.now() - began;
    this.runtime.setInterruptHandler(() => spent() > this.computingMs);
    this.host.computing(true);
    try {
      return work();
    } finally {
      this.computedMs = spent();
      this.host.computing(false);
      if (this.computedMs > this.computingMs) this.isOverTime = true;
    }
  }
}
