/** The WebRTC detector compiled to WebAssembly; the package brings no types. Pointers are numbers. */
declare module '@echogarden/fvad-wasm' {
  export interface FvadModule {
    /** A new view whenever the module's memory has grown. */
    readonly HEAP16: Int16Array;
    _malloc(bytes: number): number;
    _fvad_new(): number;
    _fvad_free(handle: number): void;
    _fvad_set_mode(handle: number, mode: number): number;
    _fvad_set_sample_rate(handle: number, hertz: number): number;
    /** 1: speech, 0: none, -1: not a length that it knows. */
    _fvad_process(handle: number, samples: number, length: number): number;
  }
  export default function fvad(): Promise<FvadModule>;
}
