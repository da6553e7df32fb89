// Installs the workspace's packages and generates its contracts, each only when what it depends on has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')

// The programs of pnpm alone, by version and hash; its package for npm would run a script to put them in place.
const pnpmManifests = join(root, 'deploy/local/bootstrap/pnpm')
const PNPM = `@pnpm/exe.linux-${process.arch}`
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
  const pnpm = installedPnpm(say)
  say("installing the workspace's packages")
  run(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only'])
  writeStamp('workspace', stamp)
}

/** The program of pnpm, as package-lock.json has its hash: another one is not installed, let alone run. */
export function installedPnpm(say) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(pnpmManifests, 'package.json'), 'utf8'))
  const version = optionalDependencies[PNPM]
  if (!version) throw new Error(`there is no pnpm for Linux on ${process.arch}`)
  const folder = join(tools, `pnpm-exe-${version}`)
  const program = join(folder, 'node_modules', PNPM, 'pnpm')
  if (existsSync(program)) return program
  say(`installing pnpm ${version}`)
  mkdirSync(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(pnpmManifests, name), join(folder, name))
  run('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--loglevel=error'], folder)
  // npm passes over an optional package whose hash is another.
  if (!existsSync(program))
    throw new Error(`pnpm ${version} could not be installed as deploy/local/bootstrap/pnpm lists it`)
  return program
}

export function generateContracts(say, always) {
  const stamp = hashOf(filesBelow('proto'))
  if (!always && existsSync(contracts) && readStamp('contracts') === stamp) return
  say('generating the contracts from proto')
  run(join(root, 'node_modules/.bin/buf'), ['generate'], join(root, 'proto'))
  writeStamp('contracts', stamp)
}

function packageManifests() {
  const folders = ['gateway', 'deploy/local', 'deploy/images', 'tests', ...foldersIn('services'), ...foldersIn('libs')]
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
