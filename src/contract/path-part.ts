/**
 * Names that become one part of a path. Every HTTP client folds the parts `.` and `..` out of a path before it sends it, also
 * where their dots are percent-encoded (WHATWG URL, "double-dot URL path segment"), so that `people/..` is the project.
 */

/** Returns true for text that a path can carry as one part of it: not `.` or `..`, in any spelling that a URL parser folds, nor half a
 * surrogate pair, which has no form in UTF-8. */
export const isPathPart = (text: string): boolean => !/^(?:\.|%2e){1,2}$/i.test(text) && !/\p{Surrogate}/u.test(text);

export const notPathPart =
  'must not be . or .. (nor %2e for a dot): HTTP clients fold these out of paths, and the request would reach what stands above';
