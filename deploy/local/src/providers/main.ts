import { createProviders } from './server.ts'

const { PORT = '8090', HOST = '127.0.0.1', PLATFORM_URL, PAYMENTS_A_SECRET_KEY } = process.env

if (process.env.NODE_ENV !== 'development') {
  console.error('The double of third parties runs with NODE_ENV=development alone.')
  process.exit(1)
}

const providers = createProviders({
  host: HOST,
  port: Number(PORT),
  ...(PLATFORM_URL && { platformUrl: PLATFORM_URL }),
  ...(PAYMENTS_A_SECRET_KEY && { paymentsSecretKey: PAYMENTS_A_SECRET_KEY }),
})
await providers.start()
console.log(`providers on ${providers.url()}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void providers.stop())
}
