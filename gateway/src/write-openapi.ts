import { readFile, writeFile } from 'node:fs/promises'
import { described } from './described.ts'
import { errorCodesPage } from './http/error-codes-page.ts'
import { baselineOf, baselineText, type Document } from './http/openapi-baseline.ts'
import { breakingChanges } from './http/openapi-breaking.ts'

// Writes what describes the API: openapi.json, asyncapi.json and docs/guides/error-codes.md. With --check it writes nothing,
// and fails where a committed one is not what the sources say or clients of the baseline would be broken. With --baseline it
// makes today's what later changes must not break: after a release, and only then.
const { 'openapi.json': openapi, 'asyncapi.json': asyncapi } = await described()
const texts = {
  'gateway/openapi.json': openapi,
  'gateway/asyncapi.json': asyncapi,
  'docs/guides/error-codes.md': errorCodesPage(),
}
const root = new URL('../../', import.meta.url)
const baseline = new URL('gateway/openapi.baseline.json', root)
const now = baselineOf(JSON.parse(openapi) as object)

function refuse(words: string): void {
  process.stderr.write(`${words}\n`)
  process.exitCode = 1
}

const isCheck = process.argv.includes('--check')
for (const [path, text] of Object.entries(texts)) {
  const file = new URL(path, root)
  if (!isCheck) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text)
    refuse(`${path} is stale: run \`node --conditions=source gateway/src/write-openapi.ts\``)
}
if (isCheck) {
  const changes = breakingChanges(JSON.parse(await readFile(baseline, 'utf8')) as Document, now)
  if (changes.length > 0) refuse(`Clients of the baseline would break:\n${changes.join('\n')}`)
}
if (process.argv.includes('--baseline')) await writeFile(baseline, baselineText(now))
