/** Exit code 2 when the migrations of a database do not lead to the models. */
import { providers } from './compose.mjs';
import { difference, migrationNames } from './engine.mjs';

let drift = false;
for (const provider of providers) {
  const sql = await difference(provider, migrationNames(provider));
  if (sql === null) continue;
  drift = true;
  console.error(`${provider}: models and migrations differ; \`npm run migrations:new -- NAME\` would write:\n${sql}`);
}
process.exit(drift ? 2 : 0);
