import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from '@jest/globals'
import { fetchKafkaJars, kafkaJarsFolder } from './kafka-jars.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

const newCache = () => {
  const cache = mkdtempSync(join(tmpdir(), 'kafka-jars-'))
  made.push(cache)
  mkdirSync(kafkaJarsFolder(cache))
  return cache
}
const fetched = (cache: string) => fetchKafkaJars(cache, () => {})

test('a jar that is not listed, or not there, starts no Kafka', async () => {
  const cache = newCache()
  writeFileSync(join(kafkaJarsFolder(cache), 'stranger.jar'), 'who knows')
  await expect(fetched(cache)).rejects.toThrow(/kafka-clients-.*stranger\.jar/)
})

test('a jar of which one byte has changed starts no Kafka; the others do', async () => {
  const own = kafkaJarsFolder(join(root, '.local/cache'))
  // Where Kafka runs in a container there are no jars to change: the list itself is judged then.
  if (!existsSync(own))
    return expect(readFileSync(join(root, 'libs/servers/kafka-jars.sha512'), 'utf8')).toMatch(
      /^[0-9a-f]{128} {2}\S+\.jar$/m,
    )
  const cache = newCache()
  cpSync(own, kafkaJarsFolder(cache), { recursive: true })
  expect(await fetched(cache)).toBe(kafkaJarsFolder(cache))
  appendFileSync(join(kafkaJarsFolder(cache), 'slf4j-simple-1.7.36.jar'), '\0')
  await expect(fetched(cache)).rejects.toThrow(': slf4j-simple-1.7.36.jar. Delete the folder.')
})
