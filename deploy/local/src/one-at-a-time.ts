import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { livePid, writePidFile } from '@svc/servers'

/** Claims this clone's local run for this process; throws when another process has it. Returns what gives it back. */
export function oneAtATime(pidFile: string): () => void {
  const other = livePid(pidFile)
  if (other) throw new Error(`A local run of this clone is under way already (process ${other}).`)
  mkdirSync(dirname(pidFile), { recursive: true })
  writePidFile(pidFile, process.pid)
  return () => rmSync(pidFile, { force: true })
}
