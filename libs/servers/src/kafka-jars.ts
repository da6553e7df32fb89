import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { KAFKA_VERSION } from '../native.mjs'

const run = promisify(execFile)

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

/** Fetches Kafka's jars from Maven Central unless they are there; complete or absent, never half. */
export async function fetchKafkaJars(cacheFolder: string, report: (line: string) => void): Promise<string> {
  const jars = kafkaJarsFolder(cacheFolder)
  if (existsSync(jars)) return jars
  report(`fetching Kafka ${KAFKA_VERSION} from Maven Central`)
  mkdirSync(dirname(jars), { recursive: true })
  const work = mkdtempSync(`${jars}-`)
  try {
    writeFileSync(join(work, 'pom.xml'), POM)
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], { cwd: work })
    if (!existsSync(jars)) renameSync(join(work, 'lib'), jars)
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string }
    throw new Error(`Maven could not fetch Kafka ${KAFKA_VERSION}: ${stdout.slice(-2_000) || message}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return jars
}
