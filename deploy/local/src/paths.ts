import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

/** Everything that a local run keeps; ignored by git. */
export const localFolder = join(root, '.local')

/** Where tools, end-to-end tests and newcomers read what runs where; there while everything is ready. */
export const stackFile = join(localFolder, 'stack.json')
