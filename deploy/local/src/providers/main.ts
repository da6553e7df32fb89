import { createProviders } from './server.ts'

const { PORT = '8090', HOST = '127.0.0.1', PLATFORM_URL = 'http://127.0.0.1:8080' } = process.env

if (process.env.NODE_ENV === 'production') {
  console.error('The double of third parties does not run in production.')
  process.exit(1)
}

const providers = createProviders({ host: HOST, port: Number(PORT), platformUrl: PLATFORM_URL })
await providers.start()
console.log(`providers on ${providers.url()}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void providers.stop())
}
