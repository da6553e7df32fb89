// Starts the servers for tests, prints their addresses as one JSON line, and stops them when its standard input closes,
// which happens however the process that started it ends.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { dockerHas, testImages } from '../native.mjs'
import { startPrivateServers } from './private-servers.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const hasImages = dockerHas(Object.values(testImages()))

const servers = hasImages
  ? await import('./container-servers.ts').then((containers) => containers.startContainers('test'))
  : await startPrivateServers(root)

const { databaseAdminUrl, redisUrl, kafkaBrokers } = servers
process.stdout.write(`${JSON.stringify({ databaseAdminUrl, redisUrl, kafkaBrokers })}\n`)

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process.stdin.resume(), 'end')])
await servers.stop()
process.exit(0)
