#!/usr/bin/env node
if (process.argv.length === 3 && process.argv[2] === '--version') {
  const { readFileSync } = await import('node:fs');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`earshot ${version}\n`);
} else {
  const { runCli } = await import('../dist/cli/run.js');
  await runCli(process.argv.slice(2), import.meta.url);
}
