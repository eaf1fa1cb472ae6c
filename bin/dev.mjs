// `npm run dev -- ARGUMENTS`: earshotd as `tsc -p tsconfig.build.json --watch` has just compiled it, without a bundle.
import { main } from '../dist/daemon/main.js';

await main(process.argv);
