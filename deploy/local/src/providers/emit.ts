import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { z } from 'zod'
import type { HookSender } from './provider.ts'

export const emitSchema = z.strictObject({
  provider: z.string(),
  path: z.string().startsWith('/').optional(),
  /** A string is sent byte for byte, anything else as JSON. */
  body: z.json(),
  headers: z.record(z.string(), z.string()).default({}),
  sign: z.string().default('good'),
  times: z.int().min(1).max(1000).default(1),
  delayMs: z.int().min(0).max(600_000).default(0),
})

/** As long as the most patient provider waits. */
const TIMEOUT_MS = 30_000

export interface Delivery {
  /** 0: no receiver answered, and the body tells why. */
  status: number
  body: string
}

/** Sends one hook `times` times, one after the other, as the provider would; the receiver's answers in order. */
export async function emit(
  hooks: HookSender,
  platformUrl: string,
  order: z.output<typeof emitSchema>,
  now: () => Date,
): Promise<Delivery[]> {
  const body = Buffer.from(typeof order.body === 'string' ? order.body : JSON.stringify(order.body))
  const deliveries: Delivery[] = []
  for (let sent = 0; sent < order.times; sent++) {
    if (order.delayMs > 0) await sleep(order.delayMs)
    const headers = { ...hooks.headers(body, order.sign, now()), ...order.headers }
    deliveries.push(await deliver(new URL(order.path ?? hooks.defaultPath, platformUrl), headers, body))
  }
  return deliveries
}

async function deliver(url: URL, headers: Record<string, string>, body: Buffer): Promise<Delivery> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: answer.statusCode, body: await answer.body.text() }
  } catch (error) {
    return { status: 0, body: String(error) }
  }
}
