/**
 * The one wrapper around every function that native code calls. An exception that leaves such a callback aborts the
 * whole process (node-datachannel 0.33: "terminate called after throwing Napi::Error"), so it ends here.
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
          // A reporter that fails has nobody left to tell; the process must live on.
        }
      }
    };
}
