/** Files that people write, as commands read them: every refusal, ours or the daemon's, names the line. */
import { ApiError } from '../../client/errors.js';
import { type FileText, FileUnreadable, problemLine } from '../../files/file-text.js';
import { UsageError } from '../../terminal/usage-error.js';
import { readText } from './read-text.js';

/** Reads a file, or standard input where the path is `-`. Throws UsageError. */
export async function readWritten<T>(path: string, read: (content: string) => FileText<T>): Promise<FileText<T>> {
  const content = await readText(path);
  try {
    return read(content);
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new UsageError(error.problems.map((problem) => `${path}:${problemLine(problem)}`).join('\n'));
  }
}

/** The refusal with lines of the file in place of paths of the request; `root`: where the file stands in the request. */
export function atLines(
  path: string,
  { problemAt }: Pick<FileText<unknown>, 'problemAt'>,
  refused: unknown,
  root: readonly string[],
): unknown {
  if (!(refused instanceof ApiError) || refused.details.length === 0) return refused;
  const details = refused.details.map((detail) => {
    const segments = detail.path.split('.');
    if (!root.every((name, index) => segments[index] === name)) return detail;
    const { line, column, field, message } = problemAt(segments.slice(root.length), detail.message);
    return { path: `${path}:${line}:${column} ${field}`, message };
  });
  const { status, code, requestId, retryAfterSeconds } = refused;
  return new ApiError(status, code, 'The daemon refuses the file.', requestId, details, retryAfterSeconds);
}
