import { randomInt, randomUUID } from 'node:crypto'
import { Agent, fetch } from 'undici'

export interface Reply {
  status: number
  headers: { get(name: string): string | null }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server sent
  body: any
}

/** The reply, if it has this status; throws with all of it otherwise. */
export function answered(status: number, reply: Reply): Reply {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply
}

/** By test file, one that none of the others has: the files of a suite share a mesh, and limits count per address. */
const addresses = new Map<string | undefined, string>()

function ownAddress(): string {
  const { TEST_FILE } = process.env
  const address = addresses.get(TEST_FILE) ?? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  addresses.set(TEST_FILE, address)
  return address
}

/** A dispatcher that calls from one loopback address, so that limits per address are met one by one. */
const from = (localAddress: string) => new Agent({ localAddress, keepAliveTimeout: 1_000 })

/** One caller of the public API: a base address, the headers it always sends, the address it calls from. */
export class Api {
  readonly baseUrl: string
  readonly headers: Record<string, string>
  readonly dispatcher: Agent

  constructor(baseUrl: string, headers: Record<string, string> = {}, dispatcher: Agent = from(ownAddress())) {
    this.baseUrl = baseUrl
    this.headers = headers
    this.dispatcher = dispatcher
  }

  with(headers: Record<string, string>): Api {
    return new Api(this.baseUrl, { ...this.headers, ...headers }, this.dispatcher)
  }

  /** The same caller at another address, for example 127.0.0.9. */
  callingFrom(localAddress: string): Api {
    return new Api(this.baseUrl, this.headers, from(localAddress))
  }

  bearing(token: string): Api {
    return this.with({ authorization: `Bearer ${token}` })
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const raw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers, ...headers },
      body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
      redirect: 'manual',
      dispatcher: this.dispatcher,
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body?: unknown, headers?: Record<string, string>) => this.send('POST', path, body, headers)
  patch = (path: string, body?: unknown) => this.send('PATCH', path, body)
  delete = (path: string) => this.send('DELETE', path)
}

export interface SignedUp {
  merchantId: string
  email: string
  password: string
  /** Bears the default test key. */
  test: Api
  /** Bears a login token. */
  owner: Api
}

/** Signs a new merchant up and in, from an address of its own where one is given. */
export async function signUp(baseUrl: string, localAddress?: string): Promise<SignedUp> {
  const email = `owner-${randomUUID()}@example.com`
  const password = `correct horse ${randomUUID()}`
  const api = localAddress ? new Api(baseUrl).callingFrom(localAddress) : new Api(baseUrl)
  const signup = await api.post('/v1/public/merchants/signup', {
    business_name: `Kitchen ${email}`,
    email,
    password,
    website: '',
  })
  const login = answered(200, await api.post('/v1/public/login', { email, password }))
  return {
    merchantId: answered(201, signup).body.merchant.id,
    email,
    password,
    test: api.bearing(signup.body.api_key),
    owner: api.bearing(login.body.access_token),
  }
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** A valid order body with a fresh external_order_id. */
export function orderBody(standardized: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  return {
    schema_version: '1',
    source: 'api',
    external_order_id: randomUUID(),
    raw_payload: { basket: ['jollof', 'suya'] },
    standardized: {
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '5 Admiralty Way, Lekki',
      customer_name: 'Ada Obi',
      customer_phone: '+2348031234567',
      scheduled_pickup_at: inMinutes(30),
      delivery_window_start: inMinutes(30),
      delivery_window_end: inMinutes(120),
      ...standardized,
    },
    ...more,
  }
}
