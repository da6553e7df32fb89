import { randomInt } from 'node:crypto'
import { runMailChaos } from './mail-scenario.ts'

/**
 * Mails with text, pages and attachments while the ingestion service is killed with SIGKILL at twenty moments that a seed
 * chooses, which is printed.
 *
 *   node --conditions=source tests/chaos/run-mail.ts [seed] [mails] [kills]
 */
const [seed = randomInt(2 ** 31), mails = 1_000, kills = 20] = process.argv.slice(2).map(Number)
console.log(`seed ${seed}`)
const figures = await runMailChaos({ seed, mails, kills, clients: 8 }, (line) => console.log(line))
const { lost, doubled, strayObjects, ...counts } = figures
console.log({ ...counts, lost: lost.length, doubled: doubled.length, strayObjects: strayObjects.length })
const isRight =
  lost.length + doubled.length + strayObjects.length === 0 &&
  figures.accepted === mails &&
  figures.killedAt.length === kills
process.exitCode = isRight ? 0 : 1
