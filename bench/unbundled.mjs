// The daemon as the compiler makes it, a file a module: what its bundle is measured against.
import { main } from '#dist/daemon/main.js';

await main(process.argv);
