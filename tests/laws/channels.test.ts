import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { type File, files, root } from './tree.ts'

const FOLDERS = 'services/ingestion/src/channels'
/** Where each channel stands: in a line, or with its doors. */
const TABLES = [`${FOLDERS}/index.ts`, 'gateway/src/bodies/channels.ts', 'gateway/src/routes/webhooks.ts']

const channels = readdirSync(join(root, FOLDERS), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Files that name a channel outside its folder and these tables, which are to know of none. */
const strangers = (channel: string, tree: readonly File[]): string[] =>
  tree
    .filter(({ path }) => !path.startsWith(`${FOLDERS}/${channel}/`))
    .filter(({ path, text }) => !TABLES.includes(path) && new RegExp(`['"\`]${channel}['"\`]`).test(text))
    .map(({ path }) => path)

const sources = async () => {
  const tree = await files('services/ingestion/src/**/*.ts', 'gateway/src/**/*.ts')
  // Samples are what one of them sends; an integration is the connection with one of them, whose name its URL bears.
  return tree.filter(({ path }) => !/\.test\.ts$|^gateway\/src\/(samples\/|routes\/me\/integrations\.ts)/.test(path))
}

test('a channel is a folder and a place in each table: nothing else of ingestion or the gateway names one', async () => {
  expect(channels.length).toBeGreaterThanOrEqual(6)
  const tree = await sources()
  for (const channel of channels) {
    expect([channel, strangers(channel, tree)]).toEqual([channel, []])
    for (const table of TABLES)
      expect([table, tree.find(({ path }) => path === table)?.text.includes(channel)]).toEqual([table, true])
  }
})

test('a file that asks for one channel by its name is found', () => {
  const tree = [{ path: 'services/ingestion/src/use-cases/x.ts', text: "if (channel === 'email-a') return" }]
  expect(strangers('email-a', tree)).toEqual(['services/ingestion/src/use-cases/x.ts'])
})
