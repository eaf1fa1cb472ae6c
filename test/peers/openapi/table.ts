/** The table of generators in docs/library.md, written from the results of the run. */
import type { Generator } from './generators.js';

/** @param results what became of each generator's client, in a few words */
export function tableOf(generators: readonly Generator[], results: ReadonlyMap<Generator, string>): string {
  const resultOf = (generator: Generator) => results.get(generator) ?? 'not tried';
  const rows = generators.map((generator) =>
    [
      generator.language,
      generator.name,
      generator.version(),
      `\`${generator.generate.replaceAll('|', '\\|')}\``,
      resultOf(generator),
    ].join(' | '),
  );
  const right = generators.filter((generator) => resultOf(generator) === '12 of 12 calls').length;
  return [
    `${right} of ${generators.length} clients make the twelve calls.\n`,
    ...['Language | Generator | Version | Command line | Result', '--- | --- | --- | --- | ---', ...rows].map(
      (row) => `| ${row} |`,
    ),
  ].join('\n');
}
