// Installs the workspace's packages and generates its contracts, each only when what it depends on has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

const PNPM_VERSION = '12.21.0'
const tools = join(root, '.local/tools')
const contracts = join(root, 'libs/contracts/src/gen')

export function installWorkspace(say) {
  const manifests = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...packageManifests(),
    ...filesBelow('patches'),
  ]
  const stamp = hashOf(manifests)
  if (existsSync(join(root, 'node_modules/.modules.yaml')) && readStamp('workspace') === stamp) return
  const pnpm = join(tools, `pnpm-${PNPM_VERSION}`)
  if (!existsSync(join(pnpm, 'node_modules/.bin/pnpm'))) {
    say(`installing pnpm ${PNPM_VERSION}`)
    run('npm', ['install', '--prefix', pnpm, '--no-save', '--loglevel=error', `pnpm@${PNPM_VERSION}`])
  }
  say("installing the workspace's packages")
  run(join(pnpm, 'node_modules/.bin/pnpm'), ['install', '--frozen-lockfile', '--reporter=append-only'])
  writeStamp('workspace', stamp)
}

export function generateContracts(say, always) {
  const stamp = hashOf(filesBelow('proto'))
  if (!always && existsSync(contracts) && readStamp('contracts') === stamp) return
  say('generating the contracts from proto')
  run(join(root, 'node_modules/.bin/buf'), ['generate'], join(root, 'proto'))
  writeStamp('contracts', stamp)
}

function packageManifests() {
  const folders = ['gateway', 'deploy/local', 'tests', ...foldersIn('services'), ...foldersIn('libs')]
  return folders.map((folder) => `${folder}/package.json`).filter((path) => existsSync(join(root, path)))
}

function foldersIn(parent) {
  return readdirSync(join(root, parent))
    .sort()
    .map((name) => `${parent}/${name}`)
}

function filesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort()
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

const stampFile = (name) => join(root, '.local', `${name}.stamp`)

function readStamp(name) {
  return existsSync(stampFile(name)) ? readFileSync(stampFile(name), 'utf8') : ''
}

function writeStamp(name, stamp) {
  mkdirSync(join(root, '.local'), { recursive: true })
  writeFileSync(stampFile(name), stamp)
}

/** Quiet unless it fails. */
function run(command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CI: 'true', PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` },
  })
  if (status !== 0) {
    const output = error ? error.message : `${stdout}${stderr}`.slice(-4_000)
    throw new Error(`${command} ${args.join(' ')} failed:\n${output}`)
  }
}
