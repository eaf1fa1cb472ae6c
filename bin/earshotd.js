#!/usr/bin/env node
import('../dist/daemon/main.js').then(({ main }) => main(process.argv));
