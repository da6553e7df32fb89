import { describe, expect, test } from '@jest/globals'
import { publishedBodies } from '@svc/testing/published-bodies'
import { readConfig } from '../config.ts'
import type { Secret, Signed } from './channel.ts'
import { emailSigner } from './email-a/signature.ts'
import { channelsOf } from './index.ts'

const { arePresent, read } = publishedBodies('payments-a')

const IS_SIGNATURE = /signature|hmac|verif-hash/i

/** Of the bits of a body so many are turned; more would prove no more. */
const TURNS = 64

const channels = channelsOf(
  readConfig({
    INGESTION_DATABASE_URL: 'postgres://app@db/ingestion',
    INGESTION_WORKER_URL: 'postgres://worker@db/ingestion',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'none',
    ORDER_GRPC_ADDRESS: 'none',
    CALLER_SECRET_GATEWAY_INGESTION: 'x'.repeat(32),
    KEY_ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  }),
)

interface Vector {
  provider: string
  secret: string
  name: string
  headers: Record<string, string>
  body: Buffer
}

const signedOf = ({ headers, body }: Vector): Signed => ({
  headers: Object.entries(headers).map(([name, value]) => ({ name: name.toLowerCase(), value })),
  body,
})

function isVerified(vector: Vector): boolean {
  const secrets: Secret[] = [{ signer: 'platform', text: vector.secret }]
  const signed = signedOf(vector)
  const { value = '0' } = signed.headers.find(({ name }) => name === 'svix-timestamp') ?? {}
  // Signed on a day of the past, judged on that day.
  if (vector.provider === 'email-a') return emailSigner(signed, secrets, Number(value) * 1000) !== null
  const channel = channels.get(vector.provider)
  return channel !== undefined && channel.verify(signed, secrets) !== null
}

const turned = (bytes: Buffer, bit: number): Buffer => {
  const other = Buffer.from(bytes)
  other[bit >> 3]! ^= 1 << (bit & 7)
  return other
}

/** Up to so many bits of some bytes, the first and the last among them. */
const bitsOf = (bytes: Buffer): number[] => {
  const last = bytes.length * 8 - 1
  return [...new Set(Array.from({ length: TURNS }, (_, i) => Math.round((i * last) / (TURNS - 1))))]
}

/** A signature with one bit of what it says changed, in its own spelling. */
function* otherSignatures(value: string): Generator<string> {
  const [prefix = '', text = ''] = /^(v1,)?(.*)$/.exec(value)?.slice(1) ?? []
  const spelling = /^[0-9a-f]+$/i.test(text) ? 'hex' : 'base64'
  const bytes = Buffer.from(text, spelling)
  for (let bit = 0; bit < bytes.length * 8; bit++) yield prefix + turned(bytes, bit).toString(spelling)
}

;(arePresent ? describe : describe.skip)('each signature that was computed elsewhere', () => {
  const vectors = arePresent ? allVectors() : []

  test('is there, of every channel', () => {
    expect(vectors.length).toBeGreaterThan(100)
    expect(new Set(vectors.map(({ provider }) => provider))).toEqual(new Set(channels.keys()))
  })

  test('verifies', () => {
    expect(vectors.filter((vector) => !isVerified(vector)).map(({ name }) => name)).toEqual([])
  })

  test('verifies nothing else: neither the body with one bit changed, cut short or longer, nor by another secret', () => {
    const believed = vectors.filter((vector) => {
      const { body, secret } = vector
      const bodies = [
        ...bitsOf(body).map((bit) => turned(body, bit)),
        body.subarray(0, -1),
        Buffer.concat([body, body]),
      ]
      const others = [
        ...bodies.map((other) => ({ ...vector, body: other })),
        { ...vector, secret: `${secret.slice(0, 8)}x${secret.slice(8)}` },
      ]
      return !isPlain(vector) && others.some(isVerified)
    })
    expect(believed.map(({ name }) => name)).toEqual([])
  })

  test('with any one bit changed verifies nothing', () => {
    const believed = vectors.filter((vector) =>
      Object.entries(vector.headers).some(([header, value]) => {
        if (!IS_SIGNATURE.test(header)) return false
        return [...otherSignatures(value)].some((other) =>
          isVerified({ ...vector, headers: { ...vector.headers, [header]: other } }),
        )
      }),
    )
    expect(believed.map(({ name }) => name)).toEqual([])
  })
})

/** Of former days: the secret itself, to which nothing binds the body. */
const isPlain = ({ headers }: Vector): boolean => 'verif-hash' in headers && !('payments-b-signature' in headers)

interface Written extends Omit<Vector, 'body' | 'name'> {
  file?: string
  body?: string
}

interface Published extends Omit<Written, 'headers'> {
  header: string
  hex?: string
  base64?: string
  value?: string
  id?: string
  timestamp?: number
}

function allVectors(): Vector[] {
  const { computed, published: shown } = JSON.parse(read('signature-vectors.json').toString()) as {
    computed: Written[]
    published: Published[]
  }
  const bodyOf = ({ file, body = '' }: Pick<Written, 'file' | 'body'>) =>
    file === undefined ? Buffer.from(body) : read(file)
  const nameOf = ({ provider, file }: Pick<Written, 'provider' | 'file'>) => file ?? `${provider}, published`
  return [
    // A ping is not signed at all.
    ...computed
      .filter(({ headers }) => Object.keys(headers).some((name) => IS_SIGNATURE.test(name)))
      .map((each) => ({ ...each, name: nameOf(each), body: bodyOf(each) })),
    ...shown.flatMap((each) =>
      [each.hex, each.base64, each.value]
        .filter((value) => value !== undefined)
        .map((value) => ({ ...each, name: nameOf(each), body: bodyOf(each), headers: publishedHeaders(each, value) })),
    ),
  ]
}

/** By our names of them. */
function publishedHeaders({ provider, id, timestamp }: Published, value: string): Record<string, string> {
  if (provider === 'email-a') return { 'svix-id': id!, 'svix-timestamp': String(timestamp), 'svix-signature': value }
  return { [provider === 'storefront-a' ? 'x-storefront-a-hmac-sha256' : 'x-messaging-a-signature']: value }
}
