/**
 * Wraps every function that native code calls. An exception that leaves such a callback aborts the whole process
 * (node-datachannel 0.33: "terminate called after throwing Napi::Error"), so it is caught here.
 */
export type Safe = <Args extends unknown[]>(callback: (...args: Args) => void) => (...args: Args) => void;

export function safely(report: (error: unknown) => void): Safe {
  return (callback) =>
    (...args) => {
      try {
        callback(...args);
      } catch (error) {
        try {
          report(error);
        } catch {
          // The reporter itself failed: there is nowhere left to report to, and the process must go on.
        }
      }
    };
}
