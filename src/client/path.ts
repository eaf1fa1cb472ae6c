/** Writes values into the paths of requests. */
import { isPathPart, notPathPart } from '../contract/path-part.js';
import { InvalidPathPart } from './errors.js';

/** Returns the value as one part of a path. Throws InvalidPathPart for what would be folded away: nothing, `.` and `..`. */
export function pathPart(value: unknown, name: string): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '') throw new InvalidPathPart(`${name} is missing: the path of the request needs it.`);
  if (!isPathPart(text))
    throw new InvalidPathPart(
      `${name} ${notPathPart}. Name it by its UUID, or rename it: \`earshotd doctor\` prints the command.`,
    );
  return encodeURIComponent(text);
}

/** Fills in the path of a route. Throws InvalidPathPart. */
export const pathOf = (template: string, params: Readonly<Record<string, unknown>> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathPart(params[name], name));
