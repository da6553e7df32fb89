import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startChild, whenReady } from './child.ts'
import { keepClassArchive } from './class-archive.ts'
import { guarded, type KafkaGuard, scramUsers } from './kafka-guard.ts'
import type { ServerOptions } from './native-servers.ts'

const run = promisify(execFile)
const LOG_WARNINGS = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'

interface KafkaOptions extends ServerOptions {
  controllerPort: number
  jarsFolder: string
  /** Of a cluster, whose first node is its controller; the only one unless given. */
  node?: { id: number; clusterId: string }
  /** Who may come in, over TLS alone; anybody in plain text unless given. */
  guard?: KafkaGuard | undefined
}

/** Of a new cluster. Kafka's tool would take one that begins with a dash for an option. */
export function newClusterId(): string {
  const bytes = randomBytes(16)
  return Buffer.from([(bytes[0] as number) & 0x7f, ...bytes.subarray(1)]).toString('base64url')
}

/** A Kafka node of our own: broker and controller in one, or a further broker of a cluster. */
export async function startKafka(options: KafkaOptions) {
  const { id, clusterId } = options.node ?? { id: 1, clusterId: newClusterId() }
  const name = id === 1 ? 'kafka' : `kafka-${id}`
  const folder = join(options.folder, name)
  const configFile = join(folder, 'server.properties')
  mkdirSync(folder, { recursive: true })
  writeFileSync(configFile, properties(options, id, join(folder, 'data')))

  const classes = keepClassArchive(options.jarsFolder, join(folder, 'classes.jsa'))
  const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', `${options.jarsFolder}/*`, LOG_WARNINGS]
  if (!existsSync(join(folder, 'data', 'meta.properties'))) {
    const users = options.guard ? scramUsers(options.guard) : []
    const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', configFile, ...users]
    await run('java', [...classes.read, ...java, ...format])
  }
  const logFile = join(options.logFolder, `${name}.log`)
  const child = await startChild({
    name,
    command: 'java',
    args: ['-Xmx512m', ...classes.read, ...classes.write, ...java, 'kafka.Kafka', configFile],
    cwd: folder,
    env: { PATH: process.env.PATH, JAVA_HOME: process.env.JAVA_HOME },
    logFile,
    pidFile: join(options.folder, `${name}.pid`),
  })
  void child.exited.then(classes.keep)
  await whenReady(child, logFile, () => listens(options.port))
  return { child, broker: `127.0.0.1:${options.port}` }
}

/** The quorum is named in the file, not in the data, so that another run may take other ports. */
function properties(options: KafkaOptions, id: number, data: string): string {
  const { port, controllerPort, guard } = options
  const isController = id === 1
  const controller = `CONTROLLER://127.0.0.1:${controllerPort}`
  const values = {
    'process.roles': isController ? 'broker,controller' : 'broker',
    'node.id': id,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${port}${isController ? `,${controller}` : ''}`,
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
    ...(guard && guarded(guard, port, isController ? controller : undefined)),
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
