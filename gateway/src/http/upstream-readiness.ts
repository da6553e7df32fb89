import { type GetReadinessResponse, ReadinessServiceService } from '@svc/contracts/common/v1/readiness_service'
import { grpcClient, systemCaller } from '@svc/grpc'
import type { Check } from '@svc/lifecycle'
import type { Upstream, Upstreams } from '../services.ts'

/** An answer holds for so long: any client may ask the gateway, and none shall make the services work. */
const REUSED_MS = 1_000
/** More than a service grants each of its own probes, so that a hanging dependency is told by its name. */
const DEADLINE_MS = 2_500
const TIMEOUT_MS = 3_000

/** Every request needs its verdict on the credential. Without one of the others the rest of the API goes on. */
const REQUIRED: ReadonlySet<string> = new Set<keyof Upstreams>(['admin'])

export interface UpstreamReadiness {
  /** Of `database`, `kafka`, and `services.<name>` for each. */
  checks: Record<string, Check>
  close(): void
}

/** What the services say of themselves, asked at most once a second. */
export function upstreamReadiness(upstreams: Upstreams): UpstreamReadiness {
  const services = Object.entries(upstreams).map(([name, upstream]) => ({ name, ...asking(name, upstream) }))

  /** Throws unless a service vouches for its dependency of this name and none complains of its own. */
  async function agreed(dependency: string): Promise<void> {
    const answers = await Promise.allSettled(services.map((service) => service.ask()))
    const told = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.checks[dependency] : undefined))
    const states = told.filter((state) => state !== undefined)
    if (states.length === 0) throw new Error(`no service tells how its ${dependency} is`)
    if (states.some((state) => state !== 'ok')) throw new Error(`${dependency} fails a service`)
  }

  const checks: Record<string, Check> = {
    database: { required: false, timeoutMs: TIMEOUT_MS, probe: () => agreed('database') },
    kafka: { required: false, timeoutMs: TIMEOUT_MS, probe: () => agreed('kafka') },
  }
  for (const service of services) {
    const probe = async () => {
      if ((await service.ask()).status === 'unavailable') throw new Error(`${service.name} is unavailable`)
    }
    checks[`services.${service.name}`] = { required: REQUIRED.has(service.name), timeoutMs: TIMEOUT_MS, probe }
  }
  return {
    checks,
    close() {
      for (const service of services) service.close()
    },
  }
}

function asking(to: string, { address, secret }: Upstream) {
  const client = grpcClient(ReadinessServiceService, { address, secret, from: 'gateway', to })
  let answer: Promise<GetReadinessResponse> | undefined
  let askedAt = 0
  return {
    ask(): Promise<GetReadinessResponse> {
      if (!answer || performance.now() - askedAt > REUSED_MS) {
        askedAt = performance.now()
        answer = client.as(systemCaller('gateway'), { deadlineMs: DEADLINE_MS }).getReadiness({})
      }
      return answer
    },
    close: () => client.close(),
  }
}
