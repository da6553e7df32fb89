import { createHash } from 'node:crypto'
import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { programPath } from '../native.mjs'

interface ClassArchive {
  /** What Java is told, before the class path, to read it; nothing while there is none. */
  read: string[]
  /** The same to write it, for the process that others will resemble; nothing once it is there. */
  write: string[]
  /** Once the process has ended: what it has written is there for the next one. */
  keep: () => void
}

/**
 * What Java has read and checked of its classes, kept beside their jars: with it Kafka listens after half the CPU time. The
 * first process that is asked to end writes it, which takes it some seconds, to `written`; all that start later read it.
 * It belongs to one Java and one folder of jars: to any other it is nothing, and there Java reads the jars.
 */
export function keepClassArchive(jarsFolder: string, written: string): ClassArchive {
  const java = programPath('java')
  if (!java) return { read: [], write: [], keep: () => {} }
  const archive = `${jarsFolder}-${versionOf(realpathSync(java))}.jsa`
  if (existsSync(archive)) return { read: [`-XX:SharedArchiveFile=${archive}`], write: [], keep: () => {} }
  rmSync(written, { force: true })
  return {
    read: [],
    write: [`-XX:ArchiveClassesAtExit=${written}`],
    keep() {
      // Nothing is there where it was killed, and it may lie on another disk: then the next process writes it.
      try {
        renameSync(written, archive)
      } catch {
        rmSync(written, { force: true })
      }
    },
  }
}

function versionOf(java: string): string {
  const { size, mtimeMs } = statSync(java)
  return createHash('sha256').update(`${java} ${size} ${mtimeMs}`).digest('hex').slice(0, 12)
}
