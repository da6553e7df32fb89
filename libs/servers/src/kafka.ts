import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild, whenReady } from './child.ts'
import type { ServerOptions } from './native-servers.ts'

const run = promisify(execFile)

/** A single Kafka node of our own, broker and controller in one. */
export async function startKafka(options: ServerOptions & { controllerPort: number; jarsFolder: string }) {
  const folder = join(options.folder, 'kafka')
  const configFile = join(folder, 'server.properties')
  mkdirSync(folder, { recursive: true })
  writeFileSync(configFile, properties(options, join(folder, 'data')))

  const java = ['-cp', `${options.jarsFolder}/*`, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']
  if (!existsSync(join(folder, 'data', 'meta.properties'))) {
    const clusterId = randomBytes(16).toString('base64url')
    await run('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', configFile])
  }
  const logFile = join(options.logFolder, 'kafka.log')
  const child = await startChild({
    name: 'kafka',
    command: 'java',
    args: ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...java, 'kafka.Kafka', configFile],
    cwd: folder,
    env: { PATH: process.env.PATH, JAVA_HOME: process.env.JAVA_HOME },
    logFile,
    pidFile: join(options.folder, 'kafka.pid'),
  })
  await whenReady(child, logFile, () => listens(options.port))
  return { child, broker: `127.0.0.1:${options.port}` }
}

/** The quorum is named in the file, not in the data, so that another run may take other ports. */
function properties(options: { port: number; controllerPort: number }, data: string): string {
  const { port, controllerPort } = options
  const values = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    // The default of 128 MB would take a third of this heap.
    'log.cleaner.dedupe.buffer.size': 16_777_216,
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
