import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { programPath } from '../native.mjs'
import { startChild, whenReady } from './child.ts'
import type { ServerOptions } from './native-servers.ts'

/** A Redis of our own without persistence: what it holds may be lost. */
export async function startRedis(options: ServerOptions) {
  const command = programPath('redis-server')
  if (!command) throw new Error('Redis is not installed: apt-get install redis-server')
  const folder = join(options.folder, 'redis')
  mkdirSync(folder, { recursive: true })
  const logFile = join(options.logFolder, 'redis.log')
  const child = await startChild({
    name: 'redis',
    command,
    args: ['--port', String(options.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    cwd: folder,
    env: { PATH: process.env.PATH },
    logFile,
    pidFile: join(options.folder, 'redis.pid'),
  })
  await whenReady(child, logFile, () => pings(options.port))
  return { child, url: `redis://127.0.0.1:${options.port}` }
}

function pings(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(1_000, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('data', (answer) => finish(answer.toString('latin1').startsWith('+PONG')))
  })
}
