import { rmSync, writeFileSync } from 'node:fs'
import { SANDBOX_RIDER } from '@svc/credentials'
import { baseUrlOf, databaseUrls, furtherVariables, type MeshSettings, providersUrlOf } from '@svc/mesh'
import { demoOf } from './seed.ts'

/** Writes where everything is and how to get in, for tools, end-to-end tests and newcomers. Returns what removes it. */
export function writeStackFile(file: string, settings: MeshSettings): () => void {
  writeFileSync(file, `${JSON.stringify(stackOf(settings), null, 2)}\n`, { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

function stackOf(settings: MeshSettings) {
  const { secrets, servers } = settings
  const demo = demoOf(settings)
  const services = settings.processes.filter(({ kind }) => kind === 'service').map(({ name }) => name)
  const urlsAs = (role: 'app' | 'inspect') =>
    Object.fromEntries(services.map((service) => [service, databaseUrls(settings, service)[role]]))
  return {
    base_url: baseUrlOf(settings),
    admin_static_token: secrets.adminStaticToken,
    scim_token: secrets.scimToken,
    providers_url: providersUrlOf(settings),
    metrics_urls: metricsUrls(settings),
    database_urls: urlsAs('app'),
    inspect_database_urls: urlsAs('inspect'),
    redis_url: servers.redisUrl,
    kafka_brokers: servers.kafkaBrokers,
    demo: {
      merchant_id: demo.merchant.id,
      owner_email: demo.merchant.email,
      owner_password: demo.merchant.password,
      test_api_key: demo.testApiKey,
      live_api_key: demo.liveApiKey,
      rider_ids: demo.riders.map(({ id }) => id),
      operators: demo.administrators,
    },
    operators: demo.newcomers,
    sandbox_rider: { id: SANDBOX_RIDER.id, phone: SANDBOX_RIDER.phone },
    dev_signing_jwk: secrets.tokenSigningJwk,
    realtime_url: `${baseUrlOf(settings)}/realtime`,
    provider_secrets: {
      email_a: secrets.mailApiKey,
      email_a_inbound: secrets.emailInboundSecret,
      messaging_a: secrets.messagingApiKey,
      payments_a: secrets.paymentsSecretKey,
      payments_b: secrets.paymentsBSecret,
    },
    settings: dispatchSettings(settings),
  }
}

/** What tools must know to foresee offers and prices, as the dispatch service reads it. */
function dispatchSettings(settings: MeshSettings): Record<string, number> {
  const told = furtherVariables(settings, 'dispatch')
  const defaults = {
    OFFER_TTL_SECONDS: 30,
    DISPATCH_LOAD_PENALTY_METRES: 500,
    IN_TRANSIT_DEPARTURE_METRES: 200,
    ROAD_FACTOR: 1.3,
  }
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, Number(told[name] ?? value)]))
}

/** The Prometheus endpoint of each process. */
export function metricsUrls(settings: MeshSettings): Record<string, string> {
  const processes = settings.processes.filter(({ kind }) => kind !== 'providers')
  return Object.fromEntries(
    processes.map(({ name }) => [name, `http://127.0.0.1:${settings.ports[`${name}.ops`]}/metrics`]),
  )
}
