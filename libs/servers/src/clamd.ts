import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startChild, whenReady } from './child.ts'
import { fetchClamd } from './fetch-clamd.ts'
import { freePort } from './free-port.ts'

interface ClamdOptions {
  folder: string
  cacheFolder: string
  /** What it finds, by name: these bytes anywhere in a file. It knows nothing else. */
  signatures: Readonly<Record<string, string>>
  /** Longer files are refused. */
  maxBytes: number
  report: (line: string) => void
}

export interface ClamdServer {
  /** `host:port` */
  address: string
  stop: () => Promise<void>
}

/** A daemon of ClamAV of our own, with a handful of signatures: it starts in a second, and needs no network. */
export async function startClamd({
  folder,
  cacheFolder,
  signatures,
  maxBytes,
  report,
}: ClamdOptions): Promise<ClamdServer> {
  const { command, env } = await fetchClamd(cacheFolder, report)
  const database = join(folder, 'signatures')
  mkdirSync(database, { recursive: true })
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const lines = Object.entries(signatures).map(([name, text]) => `${name}:0:*:${Buffer.from(text).toString('hex')}\n`)
  writeFileSync(join(database, 'own.ndb'), lines.join(''))
  const port = await freePort()
  const settings = {
    TCPSocket: port,
    TCPAddr: '127.0.0.1',
    Foreground: 'yes',
    DatabaseDirectory: database,
    TemporaryDirectory: join(folder, 'tmp'),
    StreamMaxLength: maxBytes,
    MaxThreads: 2,
  }
  const config = join(folder, 'clamd.conf')
  const text = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
  writeFileSync(config, text.join(''))
  const logFile = join(folder, 'clamd.log')
  const child = await startChild({
    name: 'clamd',
    command,
    args: ['--config-file', config],
    cwd: folder,
    env,
    logFile,
    pidFile: join(folder, 'clamd.pid'),
  })
  await whenReady(child, logFile, () => pings(port))
  return { address: `127.0.0.1:${port}`, stop: () => child.stop() }
}

function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('zPING\0'))
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(1_000, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('data', (answer) => finish(answer.toString('latin1').startsWith('PONG')))
  })
}
