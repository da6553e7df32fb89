import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { programPath } from '../native.mjs'

const run = promisify(execFile)

/**
 * Packages of Debian with whatever they need and the machine lacks, unpacked into that folder unless it is there. Nothing is
 * installed and nobody has to be root; apt checks the signatures of its archives as ever. Throws where they are not to be had.
 */
export async function fetchDebian(
  folder: string,
  packages: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  if (existsSync(folder)) return
  const names = packages.join(', ')
  if (!programPath('apt-get') || !programPath('dpkg-deb')) throw new Error(`no Debian to take ${names} from`)
  report(`fetching ${names} from Debian`)
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}-`)
  try {
    await download(work, packages)
    const archives = readdirSync(join(work, 'archives')).filter((name) => name.endsWith('.deb'))
    for (const name of archives) await run('dpkg-deb', ['-x', join(work, 'archives', name), join(work, 'root')])
    if (!existsSync(folder)) renameSync(join(work, 'root'), folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Where programs of such a folder find their libraries. */
export function librariesIn(folder: string): string {
  const libraries = readdirSync(join(folder, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'))
  return libraries.map((name) => join(folder, 'usr/lib', name)).join(':')
}

/** What the machine knows of Debian may be old, or nothing. */
async function download(work: string, packages: readonly string[]): Promise<void> {
  mkdirSync(join(work, 'archives/partial'), { recursive: true })
  mkdirSync(join(work, 'lists/partial'), { recursive: true })
  const options = ['-q', '-o', 'Debug::NoLocking=1', '-o', `Dir::Cache::archives=${work}/archives`]
  const install = ['install', '-y', '--no-install-recommends', '--download-only', ...packages]
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
