import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { PARTS, TWINS } from './options.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const VERSION = '7.25.0'
const SHA512 =
  '6cbc80b67a6fd5e6c2a68ce617d06fad184ee22e80dc5a1f1e5b374e602d441f62e0b074e23304ace7b5df4ef4e3ebb9ac78fde17c1ad132f94d6cc2614e46b7'

/** The jar of the generator, fetched once; whatever else lies in its place is refused. */
export async function generatorJar(): Promise<string> {
  const folder = join(root, '.local/tools')
  const jar = join(folder, `openapi-generator-cli-${VERSION}.jar`)
  if (!existsSync(jar)) {
    const artifact = `org.openapitools:openapi-generator-cli:${VERSION}`
    const goal = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]
    await run('mvn', ['-q', '-B', '--strict-checksums', ...goal])
  }
  const found = createHash('sha512')
    .update(await readFile(jar))
    .digest('hex')
  if (found !== SHA512) throw new Error(`${jar} is not the generator ${VERSION} that is known here: remove it`)
  return jar
}

/** Writes a client in a language into a folder. */
export async function generateClient(jar: string, language: 'python' | 'go', folder: string): Promise<void> {
  const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', jar, 'generate']
  const module = ['--git-user-id', 'delivery-dispatch', '--git-repo-id', 'client']
  const noTests = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
  const only = ['--global-property', `${PARTS},${noTests}`]
  const document = join(root, 'gateway/openapi.json')
  const options = ['-g', language, '-i', document, '-o', folder, '--name-mappings', TWINS.join(','), ...module, ...only]
  await run('java', [...java, ...options], { maxBuffer: 64 * 1_048_576 })
}
