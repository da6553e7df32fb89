// What a command needs from the machine: what is missing, what can be installed, and installing it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dockerHas, KAFKA_VERSION, missingPackages, programPath, testImages } from '../../../libs/servers/native.mjs'
import { root } from './workspace.mjs'

const kafkaJarsFolder = join(root, '.local/cache', `kafka-${KAFKA_VERSION}`)

/** One line for each thing that is missing and cannot be installed from here, with the command that would help. */
export function problems(command, args) {
  const found = []
  if (process.platform !== 'linux') found.push(`it is written for Linux, this is ${process.platform}`)
  if (!['x64', 'arm64'].includes(process.arch)) found.push(`Node 24 comes for x64 and arm64, this is ${process.arch}`)
  if (Number(process.versions.node.split('.')[0]) < 20)
    found.push(`Node 20 or later has to start it, this is ${process.version}`)
  if (!programPath('npm')) found.push('npm is missing: apt-get install npm')

  const missing = missingFor(command, args)
  if (missing.length > 0) {
    const help = `apt-get install ${missing.join(' ')}`
    if (!existsSync('/etc/debian_version') || !programPath('apt-get'))
      found.push(`missing, and this is no Debian to install it on: ${missing.join(', ')} (on Debian 12: ${help})`)
    else if (process.getuid() !== 0) found.push(`missing, and only root can install it: sudo ${help}`)
  }
  return found
}

/** Installs the Debian packages that are missing, without letting Debian start servers of its own. */
export function installPackages(command, args, say) {
  const missing = missingFor(command, args)
  if (missing.length === 0) return
  say(`installing from Debian: ${missing.join(', ')}`)
  withoutStartingServers(() => {
    apt(['update'])
    apt(['install', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', ...missing])
  })
}

/** Which of the three servers the command would run natively decides what it needs. */
function missingFor(command, args) {
  return missingPackages({ ...nativeServers(command, args), kafkaJarsFolder })
}

function nativeServers(command, args) {
  const { env } = process
  if (command === 'start')
    return { postgres: !env.DATABASE_ADMIN_URL, redis: !env.REDIS_URL, kafka: !env.KAFKA_BROKERS }
  if (command === 'migrate') return { postgres: !env.DATABASE_ADMIN_URL, redis: false, kafka: false }
  if (command === 'regression') return { postgres: true, redis: true, kafka: true }
  const none = { postgres: false, redis: false, kafka: false }
  if (command === 'test:cluster') return makesNode(args) ? { ...none, node: true } : none
  if (!command.startsWith('test') || onlyUnitTests(args)) return none
  const given = env.TEST_DATABASE_ADMIN_URL && env.TEST_REDIS_URL && env.TEST_KAFKA_BROKERS
  return given || dockerHas(Object.values(testImages()))
    ? none
    : { postgres: true, redis: true, kafka: true, promtool: true }
}

/** Whether it would make a node of a cluster here: what only root can. */
function makesNode(args) {
  return args[0] !== 'manifests' && process.getuid() === 0
}

function onlyUnitTests(args) {
  const at = args.indexOf('--selectProjects')
  return at >= 0 && args[at + 1] === 'unit' && (args[at + 2] ?? '-').startsWith('-')
}

const POLICY = '/usr/sbin/policy-rc.d'
const CLUSTER_CONFIG = '/etc/postgresql-common/createcluster.conf'

/** Debian would start a Redis on 6379 and create a cluster on 5432: both are the machine's business, not ours. */
function withoutStartingServers(install) {
  const ownPolicy = !existsSync(POLICY)
  if (ownPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  if (!existsSync(CLUSTER_CONFIG)) {
    execFileSync('mkdir', ['-p', '/etc/postgresql-common'])
    writeFileSync(CLUSTER_CONFIG, 'create_main_cluster = false\n')
  }
  try {
    install()
  } finally {
    if (ownPolicy) rmSync(POLICY)
  }
}

function apt(args) {
  const { status, stdout, stderr } = spawnSync('apt-get', ['-q', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' },
  })
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${(stdout + stderr).slice(-3_000)}`)
}
