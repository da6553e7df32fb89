import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What a file holds; undefined where there is none. */
export function readPrivate(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Puts a file in the place of another, for whoever is logged in alone. It is there as a whole or not at all: who reads at
 * the same time, or is killed, meets the old one or the new one; of two that write at once one is the last.
 */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
