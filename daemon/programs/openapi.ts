/** `earshotd openapi`: the document on standard output. */
import { openApiDocument } from '../../src/contract/openapi.js';
import { allRoutes } from '../../src/contract/routes.js';
import { version } from '../version.js';

export const printOpenApi = (): void => console.log(JSON.stringify(openApiDocument(allRoutes, version), null, 2));
