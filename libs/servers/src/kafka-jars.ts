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

/** As `sha512sum *.jar` writes it; renewed by that with the version. */
const LIST = fileURLToPath(new URL('../kafka-jars.sha512', import.meta.url))

// Without a binding of slf4j Kafka's log stays silent.
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`

/** Where the jars of this Kafka version lie below the cache. */
export function kafkaJarsFolder(cacheFolder: string): string {
  return join(cacheFolder, `kafka-${KAFKA_VERSION}`)
}

/** Fetches Kafka's jars from Maven Central unless they are there; complete or absent, and every byte the one that is listed. */
export async function fetchKafkaJars(cacheFolder: string, report: (line: string) => void): Promise<string> {
  const jars = kafkaJarsFolder(cacheFolder)
  if (!existsSync(jars)) await fetchInto(jars, report)
  await refuseOthers(jars)
  return jars
}

async function fetchInto(jars: string, report: (line: string) => void): Promise<void> {
  report(`fetching Kafka ${KAFKA_VERSION} from Maven Central`)
  mkdirSync(dirname(jars), { recursive: true })
  const work = mkdtempSync(`${jars}-`)
  try {
    writeFileSync(join(work, 'pom.xml'), POM)
    const how = ['-q', '-B', '--strict-checksums']
    await run('mvn', [...how, 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: work }).catch(
      (error: Error & { stdout?: string }) => {
        const { stdout = '', message } = error
        throw new Error(`Maven could not fetch Kafka ${KAFKA_VERSION}: ${stdout.slice(-2_000) || message}`)
      },
    )
    await refuseOthers(join(work, 'lib'))
    if (!existsSync(jars)) renameSync(join(work, 'lib'), jars)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Java would run whatever lies in the folder, with the rights of whoever starts it. */
async function refuseOthers(folder: string): Promise<void> {
  const lines = readFileSync(LIST, 'utf8').trim().split('\n')
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
  throw new Error(
    `Kafka's jars in ${folder} are not those of libs/servers/kafka-jars.sha512: ${names}. Delete the folder.`,
  )
}
