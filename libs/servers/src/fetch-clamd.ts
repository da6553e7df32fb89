import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { programPath } from '../native.mjs'
import { fetchDebian, librariesIn } from './fetch-debian.ts'

interface ClamdProgram {
  command: string
  /** With which it finds its libraries. */
  env: NodeJS.ProcessEnv
}

/** ClamAV's daemon: the machine's own, else Debian's, unpacked below the cache. Throws where neither is to be had. */
export async function fetchClamd(cacheFolder: string, report: (line: string) => void): Promise<ClamdProgram> {
  const { PATH = '' } = process.env
  const own = programPath('clamd') ?? ['/usr/sbin/clamd'].find((path) => existsSync(path))
  if (own) return { command: own, env: { PATH } }
  const folder = join(cacheFolder, 'clamav')
  await fetchDebian(folder, ['clamav-daemon'], report)
  return { command: join(folder, 'usr/sbin/clamd'), env: { PATH, LD_LIBRARY_PATH: librariesIn(folder) } }
}
