import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { ConfigError, parseConfig } from './parse-config.ts'
import { csv, durationMs, flag, integer, nodeEnv, peerAddress, port, secretBase64, statedUrl } from './pieces.ts'
import { readTogether } from './read-together.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('each key reads the variable of its name', () => {
  const schema = z.object({ grpcPort: port, kafkaBrokers: csv, requireKybForOrders: flag, s3Bucket: z.string() })
  const env = {
    GRPC_PORT: '7001',
    KAFKA_BROKERS: ' a:1, b:2,',
    REQUIRE_KYB_FOR_ORDERS: 'true',
    S3_BUCKET: 'b',
    OTHER: '1',
  }
  expect(parseConfig(schema, env)).toEqual({
    grpcPort: 7001,
    kafkaBrokers: ['a:1', 'b:2'],
    requireKybForOrders: true,
    s3Bucket: 'b',
  })
})

test('all problems are told at once, by name and without the values', () => {
  const schema = z.object({
    databaseUrl: z.url(),
    grpcPort: port,
    signingSecret: secretBase64,
    topicPrefix: z.string(),
  })
  const env = { DATABASE_URL: 'hunter2', GRPC_PORT: '70000', SIGNING_SECRET: 'aHVudGVyMg==' }
  const problems = problemsOf(() => parseConfig(schema, env))
  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    'DATABASE_URL',
    'GRPC_PORT',
    'SIGNING_SECRET',
    'TOPIC_PREFIX',
  ])
  expect(problems).toContain('TOPIC_PREFIX: is missing')
  expect(problems.join()).not.toMatch(/hunter2|aHVudGVyMg/)
})

test('an empty variable counts as absent, so the default applies', () => {
  const schema = z.object({
    topicPrefix: z.string().default('x'),
    ttlHours: integer.default(72),
    signup: flag.default(true),
  })
  expect(parseConfig(schema, { TOPIC_PREFIX: '', TTL_HOURS: '', SIGNUP: '' })).toEqual({
    topicPrefix: 'x',
    ttlHours: 72,
    signup: true,
  })
})

describe('pieces', () => {
  test.each([
    ['1500', 1_500],
    ['1500ms', 1_500],
    ['5s', 5_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
  ])('durationMs reads %s', (text, ms) => expect(durationMs.parse(text)).toBe(ms))

  test.each([
    [durationMs, ['5 s', '-1', '1.5s', 's']],
    [port, ['-1', '65536', '80.5', 'http']],
    [integer, ['1.5', 'ten', 'NaN', 'Infinity']],
    [flag, ['maybe', '2']],
    [secretBase64, ['short', 'not base64 at all !!', Buffer.alloc(31).toString('base64')]],
  ])('refuse what is not of their form (%#)', (piece, texts) => {
    for (const text of texts) expect(piece.safeParse(text).success).toBe(false)
  })

  test('a secret is its bytes', () => expect(secretBase64.parse(KEY)).toEqual(Buffer.alloc(32, 7)))
})

test('a peer is switched off by its name alone: leaving it out is a fault', () => {
  const schema = z.object({ walletGrpcAddress: peerAddress })
  const parse = (text: string) => parseConfig(schema, { WALLET_GRPC_ADDRESS: text }).walletGrpcAddress
  expect([parse('wallet:7000'), parse('none')]).toEqual(['wallet:7000', undefined])
  expect(problemsOf(() => parse(''))).toEqual(['WALLET_GRPC_ADDRESS: is missing'])
})

test('a run is production unless it says otherwise, in a word that is known', () => {
  const parse = (text: string) => parseConfig(z.object({ nodeEnv }), { NODE_ENV: text }).nodeEnv
  expect([parse(''), parse('production'), parse('development')]).toEqual(['production', 'production', 'development'])
  expect(problemsOf(() => parse('prod'))).toEqual([expect.stringContaining('NODE_ENV: ')])
})

test('a provider is switched off by `none` alone', () => {
  const parse = (text: string) => parseConfig(z.object({ mailApiUrl: statedUrl }), { MAIL_API_URL: text }).mailApiUrl
  expect([parse('https://mail.example'), parse('none')]).toEqual(['https://mail.example', undefined])
  expect(problemsOf(() => parse(''))).toEqual(['MAIL_API_URL: is missing'])
  expect(problemsOf(() => parse('mail'))).toEqual(['MAIL_API_URL: must be a URL, or none'])
})

test('several readers tell the problems of all of them', () => {
  const reader = (name: string) => () => {
    throw new ConfigError([`${name}: is missing`])
  }
  expect(problemsOf(() => readTogether({ a: reader('A'), b: () => 1, c: reader('C') }))).toEqual([
    'A: is missing',
    'C: is missing',
  ])
  expect(readTogether({ b: () => 1 })).toEqual({ b: 1 })
})
