import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { WorkspaceGrantServiceService } from '@svc/contracts/admin/v1/workspace_grant_service'
import { type GetReadinessResponse, ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { type Caller, grpcServer, type Handlers } from '@svc/grpc'
import { TEST_SECRET, testServers, uniquePrefix } from '@svc/testing'
import { type Config, configSchema } from '../src/config.ts'
import { createGateway, type Gateway } from '../src/gateway.ts'
import { replies } from '../src/samples/replies.ts'
import { SERVICES, type Upstreams } from '../src/services.ts'
import { credentialHandlers, grantHandlers, type Vault } from './vault.ts'

/** What an upstream was asked, by rpc. */
export interface Asked {
  rpc: string
  request: Record<string, unknown>
  caller: Caller
}

const JUDGING = new Set(['verifyApiKey', 'verifyApiKeys', 'verifySession', 'verifyWorkspaceGrant', 'getJwks'])

/** The rpcs that were asked, in that order, without those that judge credentials: verdicts are cached for a while. */
export const effectsOf = ({ asked }: Upstream): string[] =>
  asked.map(({ rpc }) => rpc).filter((rpc) => !JUDGING.has(rpc))

export interface Upstream {
  asked: Asked[]
  upstreams: Upstreams
  /** How each service says that it is. */
  readiness: Record<keyof Upstreams, GetReadinessResponse>
  /** In place of `replies`, by rpc: a reply, a refusal, or what makes either of a request. */
  answers: Map<string, object | ((request: Record<string, unknown>) => Promise<object>)>
  /** Answers come no sooner than this. */
  hold: Promise<unknown>
  /** Ends the process that judges credentials. */
  stopAdmin(): Promise<void>
  stopDispatch(): Promise<void>
  stop(): Promise<void>
}

type Definition = Record<string, { path: string }>
type Process = keyof Upstreams

const PROCESSES = [...new Set(Object.values(SERVICES).map(([process]) => process))]

/** The rpcs that judge credentials answer by the vault. */
const judgesOf = (definition: Definition, vault: Vault) => ({
  ...(definition === CredentialServiceService && credentialHandlers(vault)),
  ...(definition === WorkspaceGrantServiceService && grantHandlers(vault)),
})

/** Servers of the real definitions that record what they are asked and answer as `replies` says. */
export async function startUpstream(vault: Vault): Promise<Upstream> {
  const asked: Asked[] = []
  const ready = { status: 'ok', checks: { database: 'ok', kafka: 'ok' } }
  const readiness = {
    ...Object.fromEntries(PROCESSES.map((name) => [name, ready])),
    admin: { ...ready, checks: { ...ready.checks, redis: 'ok' } },
  }
  const upstream = { asked, readiness, answers: new Map(), hold: Promise.resolve() } as unknown as Upstream
  const answering = (definition: Definition, known: Record<string, unknown> = {}) => {
    const handlers: Record<string, unknown> = {}
    for (const rpc of Object.keys(definition)) {
      const handle = (known[rpc] ?? (async () => replies[rpc as keyof typeof replies])) as (
        request: unknown,
        call: unknown,
      ) => unknown
      handlers[rpc] = async (request: Record<string, unknown>, call: { caller: Caller }) => {
        asked.push({ rpc, request, caller: call.caller })
        await upstream.hold
        const answer = upstream.answers.get(rpc)
        if (answer instanceof Error) throw answer
        if (typeof answer === 'function') return answer(request)
        return answer ?? handle(request, call)
      }
    }
    return handlers as Handlers<never>
  }
  const serve = async (audience: Process) => {
    const options = { host: '127.0.0.1', port: 0, audience, secrets: { gateway: [TEST_SECRET] } }
    const getReadiness = async () => upstream.readiness[audience]
    const own = Object.values(SERVICES).filter(([process]) => process === audience)
    const services = [
      ...own.map(([, definition]) => [definition, answering(definition, judgesOf(definition, vault))]),
      [ReadinessServiceService, answering(ReadinessServiceService, { getReadiness })],
    ]
    const server = grpcServer({ ...options, services: services as never })
    await server.start?.()
    return server
  }
  const started = await Promise.all(PROCESSES.map(async (name) => [name, await serve(name)] as const))
  const servers = Object.fromEntries(started) as Record<Process, Awaited<ReturnType<typeof serve>>>
  Object.assign(upstream, {
    upstreams: Object.fromEntries(
      started.map(([name, server]) => [name, { address: server.address(), secret: TEST_SECRET }]),
    ),
    stopAdmin: async () => servers.admin.stop?.(),
    stopDispatch: async () => servers.dispatch.stop?.(),
    async stop() {
      await Promise.all(started.map(async ([, server]) => server.stop?.()))
    },
  })
  return upstream
}

export interface Running {
  gateway: Gateway
  url: string
  redisUrl: string
  redisPrefix: string
}

/** A gateway before the upstream. Limits are high unless given, so that only the tests of limits meet them. */
export async function startGateway(upstream: Upstream, overrides: Partial<Config> = {}): Promise<Running> {
  const { redisUrl } = await testServers()
  const config = configOf(upstream, { redisUrl, ...overrides })
  const gateway = createGateway(config, upstream.upstreams)
  await gateway.start()
  return { gateway, url: `http://${gateway.address()}`, redisUrl: config.redisUrl, redisPrefix: config.redisPrefix }
}

/** Of a gateway before those services that counts nobody out. */
export function configOf(upstream: Upstream, overrides: Partial<Config> & { redisUrl: string }): Config {
  const addresses = PROCESSES.map((name) => [`${name}GrpcAddress`, upstream.upstreams[name].address])
  const generous = Object.keys(configSchema.shape).filter((key) => key.startsWith('rate'))
  return {
    ...configSchema.parse({
      redisUrl: overrides.redisUrl,
      redisPrefix: uniquePrefix(),
      gatewayReplicas: 1,
      ...Object.fromEntries(addresses),
    }),
    ...Object.fromEntries(generous.map((key) => [key, 100_000])),
    port: 0,
    checkErrors: true,
    ...overrides,
  }
}
