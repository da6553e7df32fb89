import { ServiceError } from '@svc/errors'
import { Agent } from 'undici'
import { z } from 'zod'
import { PaymentRefusedError, PaymentRepeatedError } from './payments.ts'

/** A customer comes with past transactions, a plan with its subscriptions. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024
const MAX_REASON_LENGTH = 200

/** What the provider says where it refuses. A 4xx without it comes from something in between, and tells nothing. */
const refusalSchema = z.object({
  status: z.literal(false),
  message: z.string().catch(''),
  code: z.string().nullable().catch(null),
})

interface Answer {
  httpStatus: number
  text: string
}

export interface ProviderApi {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>
  post<S extends z.ZodType>(path: string, schema: S, body: Readonly<Record<string, unknown>>): Promise<z.output<S>>
  readonly close: () => Promise<void>
}

/**
 * One request, and its answer as the schema reads it. Throws PaymentRefusedError or PaymentRepeatedError where the
 * provider refuses, and service_unavailable where nothing is known; reads go out a second time before that.
 */
export function providerApi(options: { baseUrl: string; secretKey: string; timeoutMs: number }): ProviderApi {
  const { baseUrl, secretKey, timeoutMs } = options
  const agent = new Agent({ connect: { timeout: timeoutMs }, maxResponseSize: MAX_REPLY_BYTES })
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`

  async function exchange(path: string, body?: Readonly<Record<string, unknown>>): Promise<Answer> {
    const url = new URL(path, base)
    try {
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${secretKey}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      return { httpStatus: answer.statusCode, text: await answer.body.text() }
    } catch (cause) {
      throw new ServiceError('service_unavailable', { message: 'The payment provider does not answer.', cause })
    }
  }

  const get: ProviderApi['get'] = async (path, schema) => read(await exchange(path), schema, secretKey)

  return {
    get: (path, schema) =>
      get(path, schema).catch((error: unknown) => {
        if (error instanceof ServiceError) return get(path, schema)
        throw error
      }),
    post: async (path, schema, body) => read(await exchange(path, body), schema, secretKey),
    close: () => agent.destroy(),
  }
}

function read<S extends z.ZodType>({ httpStatus, text }: Answer, schema: S, secretKey: string): z.output<S> {
  const body = jsonOf(text)
  if (httpStatus >= 200 && httpStatus < 300) {
    const parsed = schema.safeParse(body)
    if (parsed.success) return parsed.data
    throw new ServiceError('service_unavailable', { message: 'The answer of the payment provider cannot be read.' })
  }
  const refusal = refusalSchema.safeParse(body)
  if (!isFinal(httpStatus) || !refusal.success) {
    throw new ServiceError('service_unavailable', { message: `The payment provider answered ${httpStatus}.` })
  }
  const { code } = refusal.data
  const reason = refusal.data.message.replaceAll(secretKey, '***').slice(0, MAX_REASON_LENGTH)
  if (isRepetition(code, reason)) throw new PaymentRepeatedError(reason)
  throw new PaymentRefusedError(reason, httpStatus, code)
}

/** 401 and 403 are about our key, which the operator will put right; 408 and 429 ask for patience. */
const isFinal = (httpStatus: number): boolean =>
  httpStatus >= 400 && httpStatus < 500 && ![401, 403, 408, 429].includes(httpStatus)

const isRepetition = (code: string | null, message: string): boolean =>
  code?.startsWith('duplicate_') || /duplicate|already (exists|in place|been used)/i.test(message)

/** The value of a JSON text; undefined where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
