import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { programPath } from '../native.mjs'

const run = promisify(execFile)
const PACKAGE = 'clamav-daemon'

interface ClamdProgram {
  command: string
  /** With which it finds its libraries. */
  env: NodeJS.ProcessEnv
}

/**
 * ClamAV's daemon: the machine's own, else Debian's, unpacked below the cache. Nothing is installed and nobody has to be root;
 * apt checks the signatures of its archives as ever. Throws where neither is to be had.
 */
export async function fetchClamd(cacheFolder: string, report: (line: string) => void): Promise<ClamdProgram> {
  const { PATH = '' } = process.env
  const own = programPath('clamd') ?? ['/usr/sbin/clamd'].find((path) => existsSync(path))
  if (own) return { command: own, env: { PATH } }
  const folder = join(cacheFolder, 'clamav')
  if (!existsSync(folder)) await fetchInto(folder, report)
  const libraries = readdirSync(join(folder, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'))
  const LD_LIBRARY_PATH = libraries.map((name) => join(folder, 'usr/lib', name)).join(':')
  return { command: join(folder, 'usr/sbin/clamd'), env: { PATH, LD_LIBRARY_PATH } }
}

async function fetchInto(folder: string, report: (line: string) => void): Promise<void> {
  if (!programPath('apt-get') || !programPath('dpkg-deb')) throw new Error(`no Debian to take ${PACKAGE} from`)
  report(`fetching ${PACKAGE} from Debian`)
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}-`)
  try {
    await download(work)
    const archives = readdirSync(join(work, 'archives')).filter((name) => name.endsWith('.deb'))
    for (const name of archives) await run('dpkg-deb', ['-x', join(work, 'archives', name), join(work, 'root')])
    if (!existsSync(folder)) renameSync(join(work, 'root'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** The package with whatever it needs and the machine lacks. What the machine knows of Debian may be old, or nothing. */
async function download(work: string): Promise<void> {
  mkdirSync(join(work, 'archives/partial'), { recursive: true })
  mkdirSync(join(work, 'lists/partial'), { recursive: true })
  const options = ['-q', '-o', 'Debug::NoLocking=1', '-o', `Dir::Cache::archives=${work}/archives`]
  const install = ['install', '-y', '--no-install-recommends', '--download-only', PACKAGE]
  try {
    await apt([...options, ...install])
  } catch {
    const ownLists = ['-o', `Dir::State::lists=${work}/lists`]
    await apt([...options, ...ownLists, 'update'])
    await apt([...options, ...ownLists, ...install])
  }
}

async function apt(args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }
  await run('apt-get', args, { env }).catch((error: Error & { stderr?: string }) => {
    throw new Error(`apt-get ${args.join(' ')} failed: ${error.stderr?.slice(-2_000) || error.message}`)
  })
}
