import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { KAFKA_VERSION } from '../native.mjs'

const run = promisify(execFile)

/** What is fetched of Maven Central together, into one folder. */
interface Jars {
  name: string
  /** A file beside this package, as `sha512sum *.jar` writes it; renewed by that with the version. */
  list: string
  dependencies: readonly string[]
  /** Of the plugin that copies them. */
  settings: readonly string[]
}

const ofKafka = (artifact: string) => dependency('org.apache.kafka', artifact, KAFKA_VERSION)
const SERVER: Jars = {
  name: `kafka-${KAFKA_VERSION}`,
  list: 'kafka-jars.sha512',
  // Without a binding of slf4j Kafka's log stays silent.
  dependencies: [ofKafka('kafka_2.13'), dependency('org.slf4j', 'slf4j-simple', '1.7.36')],
  settings: [],
}
/** What the others need of it lies among those of the server. */
const TOOLS: Jars = {
  name: `kafka-tools-${KAFKA_VERSION}`,
  list: 'kafka-tools.sha512',
  dependencies: [ofKafka('kafka-tools')],
  settings: ['-DexcludeTransitive=true'],
}

function dependency(group: string, artifact: string, version: string): string {
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
}

const pomOf = ({ dependencies }: Jars) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    ${dependencies.join('\n    ')}
  </dependencies>
</project>
`

/** Where the jars of this Kafka version lie below the cache. */
export function kafkaJarsFolder(cacheFolder: string): string {
  return join(cacheFolder, SERVER.name)
}

/** Fetches Kafka's jars from Maven Central unless they are there; complete or absent, and every byte the one that is listed. */
export const fetchKafkaJars = (cacheFolder: string, report: (line: string) => void): Promise<string> =>
  fetched(SERVER, cacheFolder, report)

/** The same of what administers brokers beside what runs them: a folder to add to the class path. */
export const fetchKafkaTools = (cacheFolder: string, report: (line: string) => void): Promise<string> =>
  fetched(TOOLS, cacheFolder, report)

async function fetched(jars: Jars, cacheFolder: string, report: (line: string) => void): Promise<string> {
  const folder = join(cacheFolder, jars.name)
  if (!existsSync(folder)) await fetchInto(folder, jars, report)
  await refuseOthers(folder, jars)
  return folder
}

async function fetchInto(folder: string, jars: Jars, report: (line: string) => void): Promise<void> {
  report(`fetching ${jars.name} from Maven Central`)
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(work, 'pom.xml'), pomOf(jars))
    const how = ['-q', '-B', '--strict-checksums', ...jars.settings]
    await run('mvn', [...how, 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: work }).catch(
      (error: Error & { stdout?: string }) => {
        const { stdout = '', message } = error
        throw new Error(`Maven could not fetch ${jars.name}: ${stdout.slice(-2_000) || message}`)
      },
    )
    await refuseOthers(join(work, 'lib'), jars)
    if (!existsSync(folder)) renameSync(join(work, 'lib'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Java would run whatever lies in the folder, with the rights of whoever starts it. */
async function refuseOthers(folder: string, { list }: Jars): Promise<void> {
  const lines = readFileSync(fileURLToPath(new URL(`../${list}`, import.meta.url)), 'utf8')
    .trim()
    .split('\n')
  const listed = new Map(lines.map((line) => line.split(/ +/).toReversed() as [name: string, hash: string]))
  const wrong = new Set(listed.keys())
  for (const name of readdirSync(folder)) {
    const hash = createHash('sha512')
      .update(await readFile(join(folder, name)))
      .digest('hex')
    if (listed.get(name) === hash) wrong.delete(name)
    else wrong.add(name)
  }
  if (wrong.size === 0) return
  const names = [...wrong].sort().join(', ')
  throw new Error(`Kafka's jars in ${folder} are not those of libs/servers/${list}: ${names}. Delete the folder.`)
}
