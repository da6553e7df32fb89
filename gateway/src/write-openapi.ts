import { readFile, writeFile } from 'node:fs/promises'
import { openApiText } from './http/openapi.ts'
import { baselineOf, baselineText, type Document } from './http/openapi-baseline.ts'
import { breakingChanges } from './http/openapi-breaking.ts'
import { routes } from './routes/index.ts'

// Writes gateway/openapi.json. With --check it fails where the committed one is not what the routes say, with --breaking
// where clients of the baseline would be broken. With --baseline it makes today's what later changes must not break:
// after a release, and only then.
const file = new URL('../openapi.json', import.meta.url)
const baseline = new URL('../openapi.baseline.json', import.meta.url)
const text = openApiText(routes)
const now = baselineOf(JSON.parse(text) as object)

function refuse(words: string): void {
  process.stderr.write(`${words}\n`)
  process.exitCode = 1
}

if (process.argv.includes('--breaking')) {
  const changes = breakingChanges(JSON.parse(await readFile(baseline, 'utf8')) as Document, now)
  if (changes.length > 0) refuse(`Clients of the baseline would break:\n${changes.join('\n')}`)
} else if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== text)
    refuse('gateway/openapi.json is stale: run `node --conditions=source gateway/src/write-openapi.ts`')
} else await writeFile(file, text)
if (process.argv.includes('--baseline')) await writeFile(baseline, baselineText(now))
