import { join } from 'node:path'
import { CALLS } from '@svc/contracts/calls'
import { databaseUrls } from './database-urls.ts'
import { type MeshProcess, replicaName, runsFromSource } from './find-processes.ts'
import { addressOf, baseUrlOf, type MeshSettings, providersUrlOf } from './settings.ts'

type Environment = Record<string, string>

/** What one process finds in its environment: nothing that is another process's secret. */
export function environmentOf(process: MeshProcess, settings: MeshSettings): Environment {
  if (process.kind === 'providers') return providersEnvironment(settings)
  return {
    ...ambient(settings),
    NODE_ENV: 'development',
    LOG_LEVEL: settings.logLevel,
    HOST: '127.0.0.1',
    OPS_PORT: String(settings.ports[`${replicaName(process)}.ops`]),
    INSTANCE: `${process.name}-${process.replica}`,
    OTEL_SERVICE_NAME: process.name,
    ...(settings.traceFolder && { TRACE_FILE: join(settings.traceFolder, `${replicaName(process)}.jsonl`) }),
    REDIS_URL: settings.servers.redisUrl,
    REDIS_PREFIX: settings.prefix,
    ...addressesOfServices(process, settings),
    ...callerSecretsOf(process, settings),
    ...(process.kind === 'gateway' ? gatewayEnvironment(process, settings) : serviceEnvironment(process, settings)),
    ...furtherVariables(settings, process.name),
  }
}

/** What the settings of a mesh have for a process beyond what is worked out. */
export const furtherVariables = (
  { environment = {} }: MeshSettings,
  process: string,
): Readonly<Record<string, string>> => (typeof environment === 'function' ? environment(process) : environment)

/** The same for what changes the schema or seeds it, which alone enters as the owner of the tables. */
export function ownerEnvironmentOf(process: MeshProcess, settings: MeshSettings): Environment {
  return {
    ...environmentOf(process, settings),
    [`${upper(process.name)}_OWNER_URL`]: databaseUrls(settings, process.name).owner,
  }
}

const AMBIENT =
  /^(PATH|HOME|LANG|LC_.*|TZ|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|OTEL_EXPORTER_.*|OTEL_TRACES_SAMPLER.*)$/

/** What the machine tells every program: paths, locale, certificates, where compiled code lies and telemetry goes. */
function ambient({ root }: MeshSettings): Environment {
  const told = Object.fromEntries(Object.entries(process.env).filter(([name]) => AMBIENT.test(name))) as Environment
  return { NODE_COMPILE_CACHE: join(root, '.local/cache/compiled'), ...told }
}

function providersEnvironment(settings: MeshSettings): Environment {
  return {
    ...ambient(settings),
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(settings.ports['providers']),
    CLAMD_PORT: String(settings.ports['providers.clamd']),
    PAYMENTS_A_SECRET_KEY: settings.secrets.paymentsSecretKey,
    PAYMENTS_B_SECRET: settings.secrets.paymentsBSecret,
    MESSAGING_A_SECRET_KEY: settings.secrets.messagingApiKey,
    EMAIL_INBOUND_SECRET: settings.secrets.emailInboundSecret,
    PLATFORM_URL: baseUrlOf(settings),
  }
}

function gatewayEnvironment(process: MeshProcess, settings: MeshSettings): Environment {
  return {
    PORT: String(settings.ports[replicaName(process)]),
    PUBLIC_BASE_URL: baseUrlOf(settings),
    SCIM_TOKEN: settings.secrets.scimToken,
    GATEWAY_REPLICAS: String(settings.processes.filter(({ kind }) => kind === 'gateway').length),
  }
}

function serviceEnvironment(process: MeshProcess, settings: MeshSettings): Environment {
  const urls = databaseUrls(settings, process.name)
  const NAME = upper(process.name)
  return {
    GRPC_PORT: String(settings.ports[`${replicaName(process)}.grpc`]),
    // It reads the proto files, which are not deployed.
    GRPC_REFLECTION: String(runsFromSource(process)),
    [`${NAME}_DATABASE_URL`]: urls.app,
    [`${NAME}_WORKER_URL`]: urls.worker,
    KAFKA_BROKERS: settings.servers.kafkaBrokers.join(','),
    TOPIC_PREFIX: settings.prefix,
    ...OF_SERVICE[process.name]?.(settings),
  }
}

/** What a service needs beyond what all have. */
const OF_SERVICE: Record<string, (settings: MeshSettings) => Environment> = {
  admin: (settings) => ({
    API_KEY_PEPPER: settings.secrets.apiKeyPepper,
    PASSWORD_PEPPER: settings.secrets.passwordPepper,
    AUDIT_KEY: settings.secrets.auditKey,
    TOKEN_SIGNING_JWK: JSON.stringify(settings.secrets.tokenSigningJwk),
    ADMIN_STATIC_TOKEN: settings.secrets.adminStaticToken,
    SIGNUP_ENABLED: 'true',
    RBAC_ENABLED: 'true',
    COMMISSION_DISPUTE_INTAKE_ENABLED: 'true',
    ...signOnEnvironment(settings),
    ...mailEnvironment(settings),
    // Nobody serves those pages here: the provider's double shows the token of each link.
    ACCOUNT_PAGES_URL: `${baseUrlOf(settings)}/account`,
    ...objectStoreEnvironment(settings, 'kyb'),
    ...(providersUrlOf(settings) && { CLAMD_ADDRESS: addressOf(settings, 'providers.clamd') }),
  }),
  order: (settings) => ({
    SIMULATOR_ENABLED: 'true',
    // A newcomer's merchant may place live orders at once.
    REQUIRE_KYB_FOR_ORDERS: 'false',
    BILLING_ENFORCEMENT: 'true',
    TRACKING_BASE_URL: `${baseUrlOf(settings)}/v1/tracking`,
  }),
  dispatch: (settings) => ({
    OTP_PEPPER: settings.secrets.otpPepper,
    REQUIRE_KYB_FOR_ORDERS: 'false',
    SOS_PHONES: 'none',
    BILLING_ENFORCEMENT: 'true',
    MESSAGING_API_URL: providersUrlOf(settings) ? `${providersUrlOf(settings)}/messaging-a` : 'none',
    ...objectStoreEnvironment(settings, 'photos'),
    MESSAGING_API_KEY: settings.secrets.messagingApiKey,
  }),
  wallet: (settings) => ({
    BILLING_ENFORCEMENT: 'true',
    WITHDRAWALS_ENABLED: 'true',
    WITHDRAWALS_REQUIRE_KYB: 'false',
    ...(providersUrlOf(settings) && { PAYMENTS_API_URL: `${providersUrlOf(settings)}/payments-a` }),
    PAYMENTS_SECRET_KEY: settings.secrets.paymentsSecretKey,
    PAYMENT_SWEEP_INTERVAL_MS: '5s',
    PAYMENT_SWEEP_AFTER_MS: '10s',
    ...mailEnvironment(settings),
  }),
  ingestion: (settings) => ({
    KEY_ENCRYPTION_KEY: settings.secrets.keyEncryptionKey,
    PAYMENTS_SECRET_KEY: settings.secrets.paymentsSecretKey,
    EMAIL_INBOUND_SECRET: settings.secrets.emailInboundSecret,
    MESSAGING_SECRET_KEY: settings.secrets.messagingApiKey,
    MESSAGING_API_KEY: settings.secrets.messagingApiKey,
    MAIL_API_URL: providersUrlOf(settings) ? `${providersUrlOf(settings)}/email-a` : 'none',
    MAIL_API_KEY: settings.secrets.mailApiKey,
    // The double of the provider gives URLs of this machine.
    MAIL_ALLOW_LOCAL: 'true',
    ...objectStoreEnvironment(settings, 'mail'),
    MESSAGING_WELCOME: 'Welcome. Start your message with Order_from_ and the name of the shop.',
    ...(providersUrlOf(settings) && {
      MESSAGING_API_URL: `${providersUrlOf(settings)}/messaging-a`,
      CLOUD_API_URL: `${providersUrlOf(settings)}/cloud`,
      CLOUD_APP_ID: LOCAL_CLOUD_APP.appId,
      CLOUD_APP_SECRET: settings.secrets.cloudAppSecret,
      CLOUD_CONFIG_ID: LOCAL_CLOUD_APP.configId,
    }),
  }),
  webhook: (settings) => ({
    KEY_ENCRYPTION_KEY: settings.secrets.keyEncryptionKey,
    OUTBOUND_WEBHOOKS_ENABLED: 'true',
    // A newcomer's receiver listens on this machine.
    WEBHOOK_ALLOW_LOCAL: 'true',
    ...mailEnvironment(settings),
  }),
}

/** Any digits: the double of the third parties asks for no particular app. */
const LOCAL_CLOUD_APP = { appId: '100000000000001', configId: '200000000000001' }

/** Both providers are the double, which tells its clients apart. */
function signOnEnvironment(settings: MeshSettings): Environment {
  const providers = providersUrlOf(settings)
  if (!providers) return {}
  const at = (audience: string, clientId: string, callback: string): Environment => ({
    [`${audience}_OIDC_ISSUER`]: `${providers}/oidc`,
    [`${audience}_OIDC_CLIENT_ID`]: clientId,
    [`${audience}_OIDC_CLIENT_SECRET`]: settings.secrets.oidcClientSecret,
    [`${audience}_OIDC_REDIRECT_URL`]: baseUrlOf(settings) + callback,
  })
  return {
    ...at('MERCHANT', 'owners', '/v1/public/auth/merchant-oidc/callback'),
    ...at('OPERATOR', 'operators', '/v1/admin/auth/oidc/callback'),
  }
}
const objectStoreEnvironment = (settings: MeshSettings, bucket: string): Environment => ({
  ...(providersUrlOf(settings) && { OBJECT_STORE_BUCKET_URL: `${providersUrlOf(settings)}/object-store/${bucket}` }),
  OBJECT_STORE_ACCESS_KEY_ID: 'local-access-key',
  OBJECT_STORE_SECRET_ACCESS_KEY: 'local-secret-key',
})

const mailEnvironment = (settings: MeshSettings): Environment => ({
  MAIL_API_URL: providersUrlOf(settings) ? `${providersUrlOf(settings)}/email-a` : 'none',
  MAIL_API_KEY: settings.secrets.mailApiKey,
  MAIL_FROM: 'Delivery Dispatch <no-reply@dispatch.localhost>',
})

/** Of the services that the process calls. */
function addressesOfServices({ name: from }: MeshProcess, settings: MeshSettings): Environment {
  const called = edges(settings).filter((edge) => edge.from === from)
  return Object.fromEntries(called.map(({ to }) => [`${upper(to)}_GRPC_ADDRESS`, addressesOf(settings, to)]))
}

/** Of all replicas of a service. */
function addressesOf(settings: MeshSettings, service: string): string {
  const replicas = settings.processes.filter(({ name }) => name === service)
  return replicas.map((process) => addressOf(settings, `${replicaName(process)}.grpc`)).join()
}

/** One secret per process and service that it calls, given to these two only. */
function callerSecretsOf({ name }: MeshProcess, settings: MeshSettings): Environment {
  return Object.fromEntries(
    edges(settings)
      .filter(({ from, to }) => [from, to].includes(name))
      .map(({ from, to }) => [`CALLER_SECRET_${upper(from)}_${upper(to)}`, settings.secrets.callerSecret(from, to)]),
  )
}

/** Who calls whom among the processes that run. */
function edges({ processes }: MeshSettings): Array<{ from: string; to: string }> {
  const runs = new Set(processes.map(({ name }) => name))
  const all = Object.entries(CALLS).flatMap(([from, services]) => services.map((to) => ({ from, to })))
  return all.filter(({ from, to }) => runs.has(from) && runs.has(to))
}

const upper = (name: string) => name.toUpperCase().replaceAll('-', '_')
