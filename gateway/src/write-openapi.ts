import { readFile, writeFile } from 'node:fs/promises'
import { openApiText } from './http/openapi.ts'
import { promisesOf, promisesText } from './http/openapi-promises.ts'
import { routes } from './routes/index.ts'

// Writes gateway/openapi.json, or with --check fails when the committed one is not what the routes say. With --released
// it also writes what clients may rely on from now on: after a release, and only then.
const file = new URL('../openapi.json', import.meta.url)
const released = new URL('../openapi.released.txt', import.meta.url)
const text = openApiText(routes)

if (!process.argv.includes('--check')) await writeFile(file, text)
else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  process.stderr.write('gateway/openapi.json is stale: run `node --conditions=source gateway/src/write-openapi.ts`\n')
  process.exitCode = 1
}
if (process.argv.includes('--released')) await writeFile(released, promisesText(promisesOf(JSON.parse(text) as object)))
