/** Limits on the code of one run. */

export interface TimeLimits {
  /** Time of computing in one run; waiting for an answer does not count. */
  readonly computingMs: number;
  /** After this time of computing without a pause the whole process is ended: it does not notice its own limit. */
  readonly hangMs: number;
  /** From the start of a run to its end. Less than the host's own limit, so that this process can report the reason. */
  readonly runMs: number;
}
export const timeLimits: TimeLimits = { computingMs: 2_000, hangMs: 4_000, runMs: 55_000 };
export const memoryBytes = 32 * 1024 * 1024;
export const stackBytes = 256 * 1024;
/** Largest result, as JSON. */
export const resultCharactersMax = 256 * 1024;
/** Calls by `fetch`, and what they carry. */
export const fetchesMax = 10;
export const fetchBodyMax = 64 * 1024;
/** The whole request as JSON, in which a character of the body may take six. */
export const fetchRequestMax = 8 * fetchBodyMax;
export const fetchAnswerBytes = 256 * 1024;
/** Lines that it prints. */
export const printedMax = 50;
export const printedCharactersMax = 500;
/** Runs and memory after which an instance of the engine is not used again. */
export const runsPerEngine = 200;
export const engineBytesMax = 96 * 1024 * 1024;
/** How long the process may take to start. */
export const startMs = 15_000;
/** How often a run is begun in a fresh process after another run ended the one that it was in. */
export const restartsMax = 5;
