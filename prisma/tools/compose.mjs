/** Puts the shared models and one provider's datasource together, because a schema folder holds one datasource. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const providers = /** @type {const} */ (['sqlite', 'postgresql']);

/** Writes prisma/.build/PROVIDER and returns its path. */
export function compose(provider) {
  const target = `${root}.build/${provider}`;
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(`${root}models`, target, { recursive: true });
  cpSync(`${root}${provider}/_datasource.prisma`, `${target}/_datasource.prisma`);
  return target;
}

/** The schema as [name, text] pairs, as the schema engine takes it. */
export const schemaFiles = (provider) => {
  const folder = compose(provider);
  return readdirSync(folder)
    .sort()
    .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]);
};
