import { join } from 'node:path'
import { databaseUrls } from './database-urls.ts'
import type { MeshProcess } from './find-processes.ts'
import { addressOf, baseUrlOf, type MeshSettings, providersUrlOf } from './settings.ts'

type Environment = Record<string, string>

/** What one process finds in its environment: nothing that is another process's secret. */
export function environmentOf(process: MeshProcess, settings: MeshSettings): Environment {
  if (process.kind === 'providers') return providersEnvironment(settings)
  return {
    ...ambient(),
    NODE_ENV: 'development',
    LOG_LEVEL: settings.logLevel,
    HOST: '127.0.0.1',
    OPS_PORT: String(settings.ports[`${process.name}.ops`]),
    INSTANCE: `${process.name}-1`,
    OTEL_SERVICE_NAME: process.name,
    ...(settings.traceFolder && { TRACE_FILE: join(settings.traceFolder, `${process.name}.jsonl`) }),
    REDIS_URL: settings.servers.redisUrl,
    REDIS_PREFIX: settings.prefix,
    ...addressesOfServices(settings),
    ...callerSecretsOf(process, settings),
    ...(process.kind === 'gateway' ? gatewayEnvironment(settings) : serviceEnvironment(process, settings)),
    ...settings.environment,
  }
}

/** The same for what changes the schema or seeds it, which alone enters as the owner of the tables. */
export function ownerEnvironmentOf(process: MeshProcess, settings: MeshSettings): Environment {
  return {
    ...environmentOf(process, settings),
    [`${upper(process.name)}_OWNER_URL`]: databaseUrls(settings, process.name).owner,
  }
}

/** What the machine tells every program: paths, locale, certificates, and where telemetry goes. */
function ambient(): Environment {
  const wanted = /^(PATH|HOME|LANG|LC_.*|TZ|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|OTEL_EXPORTER_.*|OTEL_TRACES_SAMPLER.*)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => wanted.test(name))) as Environment
}

function providersEnvironment(settings: MeshSettings): Environment {
  return {
    ...ambient(),
    HOST: '127.0.0.1',
    PORT: String(settings.ports['providers']),
    PAYMENTS_A_SECRET_KEY: settings.secrets.paymentsSecretKey,
    PLATFORM_URL: baseUrlOf(settings),
  }
}

function gatewayEnvironment(settings: MeshSettings): Environment {
  return { PORT: String(settings.ports['gateway']), PUBLIC_BASE_URL: baseUrlOf(settings) }
}

function serviceEnvironment(process: MeshProcess, settings: MeshSettings): Environment {
  const urls = databaseUrls(settings, process.name)
  const NAME = upper(process.name)
  return {
    GRPC_PORT: String(settings.ports[`${process.name}.grpc`]),
    GRPC_REFLECTION: 'true',
    [`${NAME}_DATABASE_URL`]: urls.app,
    [`${NAME}_WORKER_URL`]: urls.worker,
    KAFKA_BROKERS: settings.servers.kafkaBrokers.join(','),
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    TOPIC_PREFIX: settings.prefix,
    ...OF_SERVICE[process.name]?.(settings),
  }
}

/** What a service needs beyond what all have. */
const OF_SERVICE: Record<string, (settings: MeshSettings) => Environment> = {
  admin: ({ secrets }) => ({
    API_KEY_PEPPER: secrets.apiKeyPepper,
    PASSWORD_PEPPER: secrets.passwordPepper,
    TOKEN_SIGNING_JWK: JSON.stringify(secrets.tokenSigningJwk),
    ADMIN_STATIC_TOKEN: secrets.adminStaticToken,
    SIGNUP_ENABLED: 'true',
    RBAC_ENABLED: 'true',
  }),
  order: (settings) => ({
    SIMULATOR_ENABLED: 'true',
    BILLING_ENFORCEMENT: 'true',
    TRACKING_BASE_URL: `${baseUrlOf(settings)}/v1/tracking`,
  }),
  dispatch: (settings) => ({
    OTP_PEPPER: settings.secrets.otpPepper,
    BILLING_ENFORCEMENT: 'true',
    ...(providersUrlOf(settings) && {
      MESSAGING_API_URL: `${providersUrlOf(settings)}/messaging-a`,
      OBJECT_STORE_BUCKET_URL: `${providersUrlOf(settings)}/object-store/photos`,
    }),
    MESSAGING_API_KEY: settings.secrets.messagingApiKey,
    OBJECT_STORE_ACCESS_KEY_ID: 'local-access-key',
    OBJECT_STORE_SECRET_ACCESS_KEY: 'local-secret-key',
  }),
  wallet: (settings) => ({
    BILLING_ENFORCEMENT: 'true',
    WITHDRAWALS_ENABLED: 'true',
    WITHDRAWALS_REQUIRE_KYB: 'false',
    ...(providersUrlOf(settings) && { PAYMENTS_API_URL: `${providersUrlOf(settings)}/payments-a` }),
    PAYMENTS_SECRET_KEY: settings.secrets.paymentsSecretKey,
    PAYMENT_SWEEP_INTERVAL_MS: '5s',
    PAYMENT_SWEEP_AFTER_MS: '10s',
  }),
  ingestion: ({ secrets }) => ({
    KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    PAYMENTS_SECRET_KEY: secrets.paymentsSecretKey,
  }),
  webhook: (settings) => ({
    KEY_ENCRYPTION_KEY: settings.secrets.keyEncryptionKey,
    OUTBOUND_WEBHOOKS_ENABLED: 'true',
    // A newcomer's receiver listens on this machine.
    WEBHOOK_ALLOW_LOCAL: 'true',
    ...(providersUrlOf(settings) && { MAIL_API_URL: `${providersUrlOf(settings)}/email-a` }),
    MAIL_API_KEY: settings.secrets.mailApiKey,
    MAIL_FROM: 'Delivery Dispatch <no-reply@dispatch.localhost>',
  }),
}

function addressesOfServices(settings: MeshSettings): Environment {
  const services = settings.processes.filter(({ kind }) => kind === 'service')
  return Object.fromEntries(
    services.map(({ name }) => [`${upper(name)}_GRPC_ADDRESS`, addressOf(settings, `${name}.grpc`)]),
  )
}

/** One secret per pair of caller and service, given to these two only. */
function callerSecretsOf(process: MeshProcess, settings: MeshSettings): Environment {
  const callers = settings.processes.filter(({ kind }) => kind !== 'providers')
  const services = callers.filter(({ kind }) => kind === 'service')
  const pairs = callers.flatMap((from) => services.map((to) => ({ from, to })))
  return Object.fromEntries(
    pairs
      .filter(({ from, to }) => from.name !== to.name && [from.name, to.name].includes(process.name))
      .map(({ from, to }) => [
        `CALLER_SECRET_${upper(from.name)}_${upper(to.name)}`,
        settings.secrets.callerSecret(from.name, to.name),
      ]),
  )
}

const upper = (name: string) => name.toUpperCase().replaceAll('-', '_')
