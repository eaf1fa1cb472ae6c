/** The part of the library that we use; the package brings no types. */
declare module 'sherpa-onnx-node' {
  interface OfflineRecognizerConfig {
    modelConfig: Record<string, string | number | Record<string, string>>;
    decodingMethod?: 'greedy_search' | 'modified_beam_search';
  }
  interface OfflineStream {
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
  }
  class OfflineRecognizer {
    /** Throws on missing files; damaged ones may end the process. */
    constructor(config: OfflineRecognizerConfig);
    /** Phrases separated by `/`; for modified_beam_search only. */
    createStream(hotwords?: string): OfflineStream;
    setConfig(config: OfflineRecognizerConfig): void;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): {
      text: string;
      lang?: string;
      tokens?: string[];
      /** Seconds. */
      timestamps?: number[];
      ys_log_probs?: number[];
    };
  }
  interface OnlineStream {
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
    inputFinished(): void;
  }
  class OnlineRecognizer {
    constructor(config: OfflineRecognizerConfig);
    createStream(): OnlineStream;
    /** Whether it has a whole chunk to decode. */
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    getResult(stream: OnlineStream): {
      text: string;
      tokens: string[];
      /** Seconds from the beginning of the stream. */
      timestamps: number[];
      /** Logarithms of probabilities. */
      ys_probs: number[];
    };
  }
  interface VadConfig {
    sileroVad: {
      model: string;
      threshold: number;
      /** Seconds. */
      minSpeechDuration: number;
      minSilenceDuration: number;
      maxSpeechDuration: number;
      /** Samples of one step. */
      windowSize: number;
    };
    sampleRate: number;
    numThreads: number;
  }
  class Vad {
    constructor(config: VadConfig, bufferSizeInSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isEmpty(): boolean;
    /** The earliest piece of speech; `start` in samples since the last reset. */
    front(enableExternalBuffer?: boolean): { samples: Float32Array; start: number };
    pop(): void;
    reset(): void;
    flush(): void;
  }
  const sherpa: {
    OfflineRecognizer: typeof OfflineRecognizer;
    OnlineRecognizer: typeof OnlineRecognizer;
    Vad: typeof Vad;
  };
  export default sherpa;
}
