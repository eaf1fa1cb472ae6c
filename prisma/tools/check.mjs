/** Exit code 2 when the migrations of a database do not lead to the models, or two of them have one number. */
import { providers } from './compose.mjs';
import { difference, migrationNames } from './engine.mjs';

let drift = false;
for (const provider of providers) {
  const names = migrationNames(provider);
  const numbers = names.map((name) => name.split('_', 1)[0]);
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  if (twice.length > 0) {
    drift = true;
    console.error(`${provider}: two migrations have the number ${twice.join(', ')}`);
  }
  const sql = await difference(provider, names);
  if (sql === null) continue;
  drift = true;
  console.error(`${provider}: models and migrations differ; \`npm run migrations:new -- NAME\` would write:\n${sql}`);
}
process.exit(drift ? 2 : 0);
