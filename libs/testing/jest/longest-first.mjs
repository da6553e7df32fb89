import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import Sequencer from '@jest/test-sequencer'

/** What a byte of a file that nobody has measured is taken for. */
const SECONDS_PER_BYTE = 1 / 1_000

/**
 * What failed last comes first, then the longest, by tests/durations.json: short files fill the workers at the end. Shards
 * are balanced by it too. `npm test -- --write-durations` renews it.
 */
export default class LongestFirst extends (Sequencer.default ?? Sequencer) {
  #known

  sort(tests) {
    return tests
      .map((test) => ({ test, failed: this.hasFailed(test), seconds: this.#seconds(test) }))
      .sort((one, other) => Number(other.failed) - Number(one.failed) || other.seconds - one.seconds)
      .map(({ test }) => test)
  }

  /** Each file, the longest first, to the shard that has least to do. */
  shard(tests, { shardIndex, shardCount }) {
    const shards = Array.from({ length: shardCount }, () => ({ seconds: 0, tests: [] }))
    const inOrder = tests
      .map((test) => ({ test, seconds: this.#seconds(test) }))
      .sort((one, other) => other.seconds - one.seconds || (one.test.path < other.test.path ? -1 : 1))
    for (const { test, seconds } of inOrder) {
      const least = shards.reduce((best, shard) => (shard.seconds < best.seconds ? shard : best))
      least.seconds += seconds
      least.tests.push(test)
    }
    return shards[shardIndex - 1].tests
  }

  #seconds({ path, context }) {
    const { rootDir } = context.config
    this.#known ??= JSON.parse(readFileSync(join(rootDir, 'tests/durations.json'), 'utf8'))
    const name = relative(rootDir, path).replaceAll(sep, '/')
    return this.#known[name] ?? (context.hasteFS.getSize(path) ?? 0) * SECONDS_PER_BYTE
  }
}
