import { createClamd } from './clamd/clamd.ts'
import { createProviders } from './server.ts'

const { PORT = '8090', HOST = '127.0.0.1', CLAMD_PORT = '3310', PLATFORM_URL } = process.env
const { PAYMENTS_A_SECRET_KEY, PAYMENTS_B_SECRET, MESSAGING_A_SECRET_KEY, EMAIL_INBOUND_SECRET } = process.env

if (process.env.NODE_ENV !== 'development') {
  console.error('The double of third parties runs with NODE_ENV=development alone.')
  process.exit(1)
}

const providers = createProviders({
  host: HOST,
  port: Number(PORT),
  ...(PLATFORM_URL && { platformUrl: PLATFORM_URL }),
  ...(PAYMENTS_A_SECRET_KEY && { paymentsSecretKey: PAYMENTS_A_SECRET_KEY }),
  ...(PAYMENTS_B_SECRET && { paymentsBSecret: PAYMENTS_B_SECRET }),
  ...(MESSAGING_A_SECRET_KEY && { messagingSecretKey: MESSAGING_A_SECRET_KEY }),
  ...(EMAIL_INBOUND_SECRET && { emailInboundSecret: EMAIL_INBOUND_SECRET }),
})
const clamd = createClamd({ host: HOST, port: Number(CLAMD_PORT) })
await clamd.start()
await providers.start()
console.log(`providers on ${providers.url()}, a scanner on ${clamd.address()}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.all([providers.stop(), clamd.stop()]))
}
