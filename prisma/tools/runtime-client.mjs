/**
 * Makes what a database client needs to run, without its types: Prisma's CLI, which makes both, brings a hundred packages.
 * test/platform/database/runtime-client.test.ts compares the two.
 */
import { getInternalDMMF } from '@prisma/get-dmmf';
import { buildAndSerializeParamGraph } from '@prisma/param-graph-builder';
import { schemaFiles } from './compose.mjs';

/** Keeps of each model what queries are built from. */
function dataModel({ models }) {
  const kept = models.map(({ name, dbName, schema, fields }) => [
    name,
    {
      fields: fields.map(({ name, kind, type, relationName, dbName }) => ({ name, kind, type, relationName, dbName })),
      dbName,
      schema,
    },
  ]);
  return { models: Object.fromEntries(kept), enums: {}, types: {} };
}

/** Returns the configuration that `getPrismaClient` of Prisma's runtime takes, except for its query compiler. */
export function clientConfig(provider, version) {
  const datamodel = schemaFiles(provider);
  const document = getInternalDMMF({ datamodel });
  if ('error' in document) throw new Error(`prisma/models cannot be read: ${document.error}`);
  return {
    previewFeatures: [],
    clientVersion: version,
    activeProvider: provider,
    inlineSchema: datamodel.map(([, text]) => text).join('\n'),
    runtimeDataModel: dataModel(document.datamodel),
    parameterizationSchema: buildAndSerializeParamGraph(document),
  };
}
