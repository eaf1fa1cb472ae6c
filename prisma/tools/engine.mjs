/** Compares migrations with models through Prisma's schema engine as WebAssembly: no server, no native engine, no network. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PGlite } from '@electric-sql/pglite';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { root, schemaFiles } from './compose.mjs';

/** The stock adapters refuse scripts of several statements as a query; a shadow database takes them as a script. */
const withScripts = (adapter) => {
  const executeRaw = adapter.executeRaw.bind(adapter);
  adapter.executeRaw = async (query) => {
    if (query.args.length > 0) return executeRaw(query);
    await adapter.executeScript(query.sql);
    return 0;
  };
  return adapter;
};

const shadows = {
  sqlite: () => {
    const factory = new PrismaBetterSqlite3({ url: ':memory:' }, { shadowDatabaseUrl: ':memory:' });
    return {
      provider: 'sqlite',
      adapterName: factory.adapterName,
      connect: async () => withScripts(await factory.connect()),
      connectToShadowDb: async () => withScripts(await factory.connectToShadowDb()),
    };
  },
  postgresql: () => {
    const connect = async () => withScripts(await new PrismaPGlite(new PGlite()).connect());
    return { provider: 'postgres', adapterName: 'pglite', connect, connectToShadowDb: connect };
  },
};

/** The engine reports its own faults through this global. */
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (message) => {
    throw new Error(`schema engine: ${message}`);
  },
};

let loaded;
/** One instance per process: the module keeps views of the memory of its first instance. */
const load = () => (loaded ??= instantiate());

async function instantiate() {
  const bytes = readFileSync(
    createRequire(import.meta.url)
      .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
      .replace(/\.js$/, '.wasm'),
  );
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engine.SchemaEngine;
}

export const migrationNames = (provider) => {
  const folder = `${root}${provider}/migrations`;
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

const migrationList = (provider, names) => ({
  baseDir: `${root}${provider}/migrations`,
  lockfile: { path: 'migration_lock.toml', content: `provider = "${provider}"\n` },
  shadowDbInitScript: '',
  migrationDirectories: names.map((path) => ({
    path,
    migrationFile: {
      path: 'migration.sql',
      content: { tag: 'ok', value: readFileSync(`${root}${provider}/migrations/${path}/migration.sql`, 'utf8') },
    },
  })),
});

/**
 * Tables that migrations make and models cannot describe: those of the transcript search. The trigger that empties
 * "MessageWords" is on "MessageIndexed"; a migration that drops or rebuilds that table must make it again.
 */
const words = ['', '_data', '_idx', '_content', '_docsize', '_config'].map((part) => `MessageWords${part}`);
const notModels = { sqlite: ['MessageIndexed', ...words], postgresql: ['public.MessageIndexed'] };

/** SQL that leads from the named migrations to the models; null when they agree. */
export async function difference(provider, names) {
  const SchemaEngine = await load();
  const files = schemaFiles(provider).map(([path, content]) => ({ path, content }));
  const datamodels = files.map(({ path, content }) => [path, content]);
  const schema = await SchemaEngine.new(
    { datamodels },
    () => {},
    bindMigrationAwareSqlAdapterFactory(shadows[provider]()),
  );
  const { exitCode, stdout } = await schema.diff({
    from: names.length === 0 ? { tag: 'empty' } : { tag: 'migrations', ...migrationList(provider, names) },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    filters: { externalTables: notModels[provider], externalEnums: [] },
  });
  return exitCode === 0 ? null : stdout;
}
