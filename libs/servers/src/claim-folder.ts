import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { livePid, writePidFile } from './pid-file.ts'

const OWNER = 'owner.pid'

/** A new folder below `parent` for this process, after removing those whose process has ended. */
export function claimFolder(parent: string): string {
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name)
    if (isAbandoned(folder)) removeFolder(folder)
  }
  const folder = join(parent, `${process.pid}-${performance.now().toFixed(0)}`)
  mkdirSync(folder)
  writePidFile(join(folder, OWNER), process.pid)
  return folder
}

/** Removes the folder with the Postgres data that a link in it points to. */
export function removeFolder(folder: string): void {
  const postgres = join(folder, 'postgres')
  if (existsSync(postgres)) rmSync(realpathSync(postgres), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
}

/** A folder of the last minute may belong to a process that has not yet recorded itself; one that is gone was removed by another. */
function isAbandoned(folder: string): boolean {
  const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
  return changedAt !== undefined && !livePid(join(folder, OWNER)) && changedAt < Date.now() - 60_000
}
