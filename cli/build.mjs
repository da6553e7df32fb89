// Writes dist/dispatch.js: one file with all that it needs but Node.
import { build } from 'esbuild'

await build({
  entryPoints: [new URL('src/main.ts', import.meta.url).pathname],
  outfile: process.argv[2] ?? new URL('dist/dispatch.js', import.meta.url).pathname,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  conditions: ['source'],
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
})
