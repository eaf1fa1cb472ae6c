/** Names and terms that a project gives its recogniser, read as rules and the search read words. Pure. */
import { DomainError } from '../../../../src/contract/errors.js';
import { namedEntry } from '../../../platform/text/dead-entry.js';
import { entryOf, readWords } from '../../../platform/text/reader.js';

/** As they were typed, each once however it is written. Throws validation_failed where one has no word that anybody can say. */
export function vocabularyFrom(entries: readonly string[]): string[] {
  const byReading = new Map<string, string>();
  const details: { path: string; message: string }[] = [];
  for (const [index, entry] of entries.entries()) {
    const reading = JSON.stringify(entryOf(entry));
    if (readWords(entry).length === 0)
      details.push({
        path: `body.speechVocabulary.${index}`,
        message: `${namedEntry(entry)} has no word that anybody can say`,
      });
    else if (!byReading.has(reading)) byReading.set(reading, entry);
  }
  if (details.length > 0) throw new DomainError('validation_failed', { details });
  return [...byReading.values()];
}
